/** Asks questions at the terminal; secret answers are not echoed. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AppError } from '../core/errors.ts';
import type { CliIo } from './command.ts';

export const isTerminal = ({ stdin }: Pick<CliIo, 'stdin'>): boolean => (stdin as { isTTY?: boolean }).isTTY === true;

export interface Questions extends Disposable {
  /** What was typed, trimmed. `aborted` for Ctrl-C and for an input that ends. */
  ask(question: string): Promise<string>;
  askHidden(question: string): Promise<string>;
}

/** One reader for all of them, so that what is typed ahead is not lost between two. */
export function openQuestions(io: CliIo): Questions {
  const hidden = { on: false };
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden.on) io.stdout.write(chunk);
      done();
    },
  });
  // As a terminal, whatever standard output is: only then does the terminal itself leave off showing what is typed.
  const lines = createInterface({ input: io.stdin, output, terminal: true, historySize: 0 });
  const gone = new AbortController();
  lines.once('SIGINT', () => gone.abort());
  lines.once('close', () => gone.abort());
  const ask = async (question: string): Promise<string> => {
    try {
      return (await lines.question(question, { signal: gone.signal })).trim();
    } catch (error) {
      if (!gone.signal.aborted) throw error;
      throw new AppError('aborted', 'Cancelled; nothing was changed.', { cause: error });
    }
  };
  return {
    ask,
    async askHidden(question) {
      io.stdout.write(`${question} (not shown): `);
      hidden.on = true;
      try {
        return await ask('');
      } finally {
        hidden.on = false;
        io.stdout.write('\n');
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
