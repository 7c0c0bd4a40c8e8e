/** Serves `logs.tail`: the log file from a byte offset, so that a caller can follow it without gaps or repeats. */
import { basename, dirname, join } from 'node:path';
import { listDir, statIfExists } from '../../platform/files.ts';
import { readSlice } from '../../platform/append-file.ts';
import { redactText } from '../../platform/redact.ts';
import { logsTailParams } from '../../protocol/system.ts';
import { method, type Methods } from './method.ts';

const DEFAULT_LINES = 500;
const DEFAULT_BYTES = 250_000;

export const logMethods: Methods = {
  'logs.tail': method({
    summary: 'Returns the end of the log, or new lines since a cursor.',
    needs: 'operator.read',
    params: logsTailParams,
    heavy: true,
    run: async ({ cursor, limit = DEFAULT_LINES, maxBytes = DEFAULT_BYTES }, { services }) => {
      const file = await newestLog(services.logFile());
      const size = (await statIfExists(file))?.size ?? 0;
      // A cursor past the end means the file was replaced since: begin again with its end.
      const reset = cursor !== undefined && cursor > size;
      const follows = cursor !== undefined && !reset;
      const from = follows ? Math.max(cursor, size - maxBytes) : Math.max(0, size - maxBytes);
      const slice = await readSlice(file, { from, to: size, wholeLines: !follows || from > cursor });
      const { lines, end } = wholeLines(slice?.text ?? '', slice?.start ?? from);
      // Redacted once more: `logging.redactSensitive: off` is the request of the machine's owner, not of everybody who
      // may
      // read.
      return {
        file,
        cursor: end,
        size,
        lines: lines.slice(-limit).map(redactText),
        truncated: (follows ? from > cursor : from > 0) || lines.length > limit,
        reset,
      };
    },
  }),
};

/** A line that is still being written is left for the next call. */
function wholeLines(text: string, start: number): { lines: string[]; end: number } {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return { lines: whole.split('\n').filter((line) => line !== ''), end: start + Buffer.byteLength(whole) };
}

/** Before today's first line there is only yesterday's file. */
async function newestLog(file: string): Promise<string> {
  if (await statIfExists(file)) return file;
  const family = /^(.*?)-\d{4}-\d{2}-\d{2}\.log$/.exec(basename(file))?.[1];
  if (family === undefined) return file;
  const rolling = (await listDir(dirname(file))).filter(
    (entry) => entry.kind === 'file' && entry.name.startsWith(`${family}-`) && entry.name.endsWith('.log'),
  );
  const newest = rolling.at(-1);
  return newest ? join(dirname(file), newest.name) : file;
}
