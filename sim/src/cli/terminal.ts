import type { Paint } from './paint.js';
import { paintFor, PLAIN } from './paint.js';

/** Where commands print: results on stdout, progress on stderr. */
export interface Terminal {
  readonly paint: Paint;
  print(text: string): void;
  /** One line that replaces the last, for who watches; nothing in files and pipes. */
  progress(text: string): void;
  /** As `progress`, but files and pipes get it as a line that stays: not for every moment. */
  milestone(text: string): void;
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
  const progress = (text: string): void => {
    wipe();
    shown = true;
    stderr.write(text.slice(0, stderr.columns - 1));
  };
  stdout.on('error', leaveWithReader);
  return {
    paint: paintFor(stdout),
    print: (text) => {
      wipe();
      stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    progress: (text) => {
      if (isWatched) progress(text);
    },
    milestone: (text) => {
      if (isWatched) progress(text);
      else stderr.write(`${text}\n`);
    },
    say: (text) => {
      wipe();
      stderr.write(`${text}\n`);
    },
  };
}

/** Whoever reads has left, as `head` does: nobody is there to print for. */
function leaveWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
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

  milestone(text: string): void {
    this.say(text);
  }

  say(text: string): void {
    this.said += `${text}\n`;
  }
}
