import type { Paint } from './paint.js';
import { paintFor, PLAIN } from './paint.js';

/** Where commands print: results on stdout, progress on stderr. */
export interface Terminal {
  readonly paint: Paint;
  print(text: string): void;
  /** One line that replaces the last, for who watches; nothing in files and pipes. */
  progress(text: string): void;
  /** A line on stderr that stays. */
  say(text: string): void;
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  const isWatched = stderr.isTTY;
  let shown = false;
  const wipe = (): void => {
    if (shown) stderr.write('\r\u001b[K');
    shown = false;
  };
  return {
    paint: paintFor(stdout),
    print: (text) => {
      wipe();
      stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    progress: (text) => {
      if (!isWatched) return;
      wipe();
      shown = true;
      stderr.write(text.slice(0, stderr.columns - 1));
    },
    say: (text) => {
      wipe();
      stderr.write(`${text}\n`);
    },
  };
}

/** Keeps what is printed: for tests, and for text that is put together first. */
export class KeptTerminal implements Terminal {
  readonly paint: Paint = PLAIN;
  printed = '';
  said = '';

  print(text: string): void {
    this.printed += text.endsWith('\n') ? text : `${text}\n`;
  }

  progress(): void {}

  say(text: string): void {
    this.said += `${text}\n`;
  }
}
