import type { ListenError } from '@raftd/transport';

/** The address could not be bound; `code` says why, the message names it and what to do. */
export class ListenFailure extends Error {
  readonly code: ListenError['code'];

  constructor({ code, message }: ListenError) {
    super(`--listen: ${message}; stop what uses it, or choose another address`);
    this.name = 'ListenFailure';
    this.code = code;
  }
}
