import { parseArgs, styleText } from 'node:util';

import { connect } from '@raftd/client';

import { startCluster } from '../cluster/local-cluster.js';

const FIRST_PORT = 7_401;

const { values: flags } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    'data-dir': { type: 'string' },
  },
});

function nodeCount(): number {
  const nodes = Number(flags.nodes);
  if (Number.isInteger(nodes) && nodes >= 1 && nodes <= 9) return nodes;
  process.stderr.write(`--nodes must be a whole number from 1 to 9, not '${flags.nodes}'\n`);
  process.exit(2);
}

const nodes = nodeCount();
const directory = flags['data-dir'];
const cluster = await startCluster({
  nodes,
  ports: Array.from({ length: nodes }, (_, number) => FIRST_PORT + number),
  ...(directory === undefined ? {} : { directory }),
});

async function leader(): Promise<string> {
  await using client = await connect(cluster.endpoints);
  for (;;) {
    const { leader: id } = await client.status();
    if (id !== undefined) return id;
  }
}

const bold = (text: string): string => styleText('bold', text);
process.stdout.write(`
${bold('raftd is up')}: ${nodes} nodes on ${cluster.endpoints}, ${await leader()} leads.
Data in ${cluster.directory}${directory === undefined ? ' (temporary)' : ''}.

Try, in another terminal:
  export RAFTD_ENDPOINTS=${cluster.endpoints}
  npx raftctl status
  npx raftctl put greeting hello
  npx raftctl get greeting
  npx raftctl elect billing -- sh -c 'echo "I lead with token $RAFTD_TOKEN"; sleep 60'
  npx raftctl election show billing
  kill -9 ${cluster.node('n1').pid}        # n1; the others go on

Ctrl-C stops the cluster.
`);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    process.stdout.write('stopping\n');
    void cluster.stop().then(() => process.exit(0));
  });
}
