/** Reads whole lines of the log file from a byte offset on, bounded, without secrets. */
import { readSlice } from '../platform/append-file.ts';
import { redactText } from '../platform/redact.ts';

export interface NewLines {
  readonly lines: readonly string[];
  /** Behind the last whole line; one that is still being written is left for the next call. */
  readonly cursor: number;
  /** There were more; these are the last. */
  readonly truncated: boolean;
}

export interface LogRange {
  /** The end of a line, as an earlier call answered it. */
  readonly from: number;
  /** The size of the file. */
  readonly to: number;
  readonly bytes: number;
  readonly lines: number;
}

export async function readNewLines(file: string, range: LogRange): Promise<NewLines> {
  const start = Math.max(range.from, range.to - range.bytes);
  const slice = await readSlice(file, {
    from: start,
    to: range.to,
    wholeLines: start > range.from,
  });
  const text = slice?.text ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').filter((line) => line !== '');
  return {
    // Redacted once more: `logging.redactSensitive: off` is the request of the machine's owner, not of everybody who
    // may read.
    lines: lines.slice(-range.lines).map(redactText),
    cursor: (slice?.start ?? start) + Buffer.byteLength(whole),
    truncated: start > range.from || lines.length > range.lines,
  };
}
