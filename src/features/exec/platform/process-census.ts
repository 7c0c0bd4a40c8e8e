/** Counts a process with everything below it, and what all of them use, from `/proc`. Linux. */
import { readdir, readFile } from 'node:fs/promises';
import { errnoOf } from '../../../platform/storage-error.ts';

/** A process and in how many namespaces it runs. */
export interface ProcessCount {
  readonly pid: number;
  /** In its innermost namespace; the same as `pid` outside of any. */
  readonly innerPid: number;
  /** How many process namespaces deep it runs; 1 is the machine's own, as far as we can see. */
  readonly depth: number;
  readonly threads: number;
  /** Bytes that are its own: neither files nor the programs themselves; swapped out ones too. */
  readonly memoryBytes: number;
  /** Bytes it and the children it has buried caused to be written to a disk; 0 where that may not be asked. */
  readonly writtenBytes: number;
}

/**
 * Descendants of `pid` and itself, parents first; not more than `most`. Those that end meanwhile are left out. A
 * process that was
 * orphaned on purpose is found where its namespace put it: below the first process of the namespace, never above.
 */
export async function processCensus(pid: number, max: number): Promise<readonly ProcessCount[]> {
  const counted: ProcessCount[] = [];
  let generation: readonly number[] = [pid];
  while (generation.length > 0 && counted.length < max) {
    const counts = await Promise.all(generation.slice(0, max - counted.length).map(countOf));
    counted.push(...counts.flatMap((one) => one?.count ?? []));
    generation = counts.flatMap((one) => one?.children ?? []);
  }
  return counted;
}

async function countOf(pid: number): Promise<{ count: ProcessCount; children: readonly number[] } | undefined> {
  const [status, io] = await Promise.all([readIfAlive(`/proc/${pid}/status`), readIfAlive(`/proc/${pid}/io`)]);
  if (status === undefined) return undefined;
  const field = (name: string, text = status): string => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(text)?.[1] ?? '';
  const kilobytes = (name: string): number => Number.parseInt(field(name), 10) || 0;
  const pids = field('NSpid').split(/\s+/).map(Number);
  const threads = Number(field('Threads')) || 1;
  return {
    count: {
      pid,
      threads,
      innerPid: pids.at(-1) || pid,
      depth: pids.length,
      memoryBytes: (kilobytes('RssAnon') + kilobytes('RssShmem') + kilobytes('VmSwap')) * 1024,
      writtenBytes: Number(field('write_bytes', io ?? '')) || 0,
    },
    children: await childrenOf(pid, threads),
  };
}

/** Each thread has the children it made itself. */
async function childrenOf(pid: number, threads: number): Promise<readonly number[]> {
  const ids = threads > 1 ? await namesIfAlive(`/proc/${pid}/task`) : [String(pid)];
  const lists = await Promise.all(ids.map((id) => readIfAlive(`/proc/${pid}/task/${id}/children`)));
  return lists.flatMap((list) => list?.trim().split(' ').filter(Boolean).map(Number) ?? []);
}

/** A process that ended meanwhile has no files any more; some of another one's may be none of our business. */
const GONE = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

async function ifAlive<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (GONE.has(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

const readIfAlive = (path: string): Promise<string | undefined> => ifAlive(() => readFile(path, 'utf8'));
const namesIfAlive = async (path: string): Promise<readonly string[]> => (await ifAlive(() => readdir(path))) ?? [];
