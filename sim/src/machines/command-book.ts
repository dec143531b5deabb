import type { CommandCodec, LoggedCommand } from '@raftd/coordinator';

const NUMBER_BYTES = 4;

/** Commands by number: so the log can also hold what no wire would carry. */
export class CommandBook implements CommandCodec {
  readonly #commands: LoggedCommand[] = [];

  encode(command: LoggedCommand): Uint8Array {
    const payload = new Uint8Array(NUMBER_BYTES);
    new DataView(payload.buffer).setUint32(0, this.#commands.length);
    this.#commands.push(command);
    return payload;
  }

  decode(payload: Uint8Array): LoggedCommand {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    const command = this.#commands[view.getUint32(0)];
    if (command === undefined) throw new RangeError('a number that is in no book');
    return command;
  }
}
