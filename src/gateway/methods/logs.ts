/** Serves `logs.*`: the log file from a byte offset, so that a caller can follow it without gaps or repeats. */
import { basename, dirname, join } from 'node:path';
import { listDir, statIfExists } from '../../platform/files.ts';
import { logsSubscribeParams, logsTailParams } from '../../protocol/system.ts';
import { readNewLines } from '../log-lines.ts';
import type { Connection } from '../ws/connection.ts';
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
      const file = await newestLog(services.logFile.path());
      const size = (await statIfExists(file))?.size ?? 0;
      // A cursor past the end means the file was replaced since: begin again with its end.
      const reset = cursor !== undefined && cursor > size;
      const follows = cursor !== undefined && !reset;
      const range = { from: follows ? cursor : 0, to: size, bytes: maxBytes, lines: limit };
      const read = await readNewLines(file, range);
      return { file, size, ...read, reset };
    },
  }),

  'logs.subscribe': method({
    summary: 'Subscribes to the log: `logs.lines` events with what is written from now on.',
    needs: 'operator.read',
    params: logsSubscribeParams,
    run: (_params, { connection }) => follow(connection, true),
  }),
  'logs.unsubscribe': method({
    summary: 'Unsubscribes from the log.',
    needs: 'operator.read',
    params: logsSubscribeParams,
    run: (_params, { connection }) => follow(connection, false),
  }),
};

function follow(connection: Connection, subscribed: boolean): { subscribed: boolean } {
  connection.followsLog = subscribed;
  return { subscribed };
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
