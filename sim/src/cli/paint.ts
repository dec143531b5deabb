/** Colours where a person looks, plain text in files and pipes. */
export interface Paint {
  bad(text: string): string;
  good(text: string): string;
  strong(text: string): string;
  faint(text: string): string;
}

export const PLAIN: Paint = {
  bad: (text) => text,
  good: (text) => text,
  strong: (text) => text,
  faint: (text) => text,
};

const COLOURED: Paint = {
  bad: (text) => `\u001b[31m${text}\u001b[0m`,
  good: (text) => `\u001b[32m${text}\u001b[0m`,
  strong: (text) => `\u001b[1m${text}\u001b[0m`,
  faint: (text) => `\u001b[2m${text}\u001b[0m`,
};

export function paintFor(stream: { readonly isTTY?: boolean }): Paint {
  return stream.isTTY === true && process.env['NO_COLOR'] === undefined ? COLOURED : PLAIN;
}
