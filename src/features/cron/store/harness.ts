/** jobs.json as people write it with an editor, and what the store makes of it. */
import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HOUR, NOON, TEXT, type CronInstances } from '../harness.ts';

export const hourly = { schedule: { kind: 'every', everyMs: HOUR }, ...TEXT };

export const handmade = (id: string, more: object = {}): object => ({
  id,
  name: id,
  enabled: true,
  createdAtMs: NOON,
  updatedAtMs: NOON,
  schedule: { kind: 'every', everyMs: HOUR },
  sessionTarget: 'isolated',
  wakeMode: 'now',
  payload: { kind: 'agentTurn', message: 'look' },
  ...more,
});

export const read = async (s: CronInstances): Promise<any> => JSON.parse(await readFile(s.path, 'utf8'));

/** As an editor does it; at a time of its own, however fast the test is. */
export async function edit(s: CronInstances, text: string): Promise<void> {
  await mkdir(dirname(s.path), { recursive: true });
  await writeFile(s.path, text);
  const { mtimeMs } = await stat(s.path);
  await utimes(s.path, mtimeMs / 1000, mtimeMs / 1000 + 1 + Math.random());
}

export const editJobs = (s: CronInstances, jobs: readonly unknown[], head: object = {}): Promise<void> =>
  edit(s, JSON.stringify({ version: 1, ...head, jobs }, null, 2));

export const names = async (cron: Awaited<ReturnType<CronInstances['instance']>>): Promise<string[]> =>
  (await cron.list({ includeDisabled: true, sortBy: 'name' })).jobs.map(({ name }) => name);
