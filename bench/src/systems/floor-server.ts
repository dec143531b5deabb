import { Level } from 'level';
import { pack, unpack } from 'msgpackr';
import { type WebSocket, WebSocketServer } from 'ws';

// What is left of a put when nobody has to agree: decode, one synced batch a turn, encode.
type Request = [id: number, key: string, value: Uint8Array | null];

const [port, directory] = process.argv.slice(2);
const database = new Level<string, Uint8Array>(directory ?? '', { valueEncoding: 'view' });
const server = new WebSocketServer({
  port: Number(port),
  host: '127.0.0.1',
  perMessageDeflate: false,
});
let queue: { socket: WebSocket; requests: Request[] }[] = [];
let writing = false;

async function drain(): Promise<void> {
  writing = true;
  while (queue.length > 0) {
    const taken = queue;
    queue = [];
    const puts = taken
      .flatMap(({ requests }) => requests)
      .flatMap(([, key, value]) => (value === null ? [] : [{ type: 'put' as const, key, value }]));
    if (puts.length > 0) await database.batch(puts, { sync: true });
    for (const { socket, requests } of taken) socket.send(pack(await answers(requests)));
  }
  writing = false;
}

function answers(requests: readonly Request[]): Promise<unknown[]> {
  return Promise.all(
    requests.map(async ([id, key, value]) => {
      return [id, value === null ? await database.get(key) : undefined];
    }),
  );
}

server.on('connection', (socket) => {
  socket.on('message', (frame: Buffer) => {
    queue.push({ socket, requests: unpack(frame) as Request[] });
    if (!writing) void drain();
  });
});
server.on('listening', () => process.send?.('listening'));
