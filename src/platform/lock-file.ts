/** The primitives of a lock file: created whole or not at all, and enough about a process to tell it from a later one of the same number. */
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { shortId } from './ids.ts';
import { errnoOf, isMissing, onDisk } from './storage-error.ts';

/** False when the file exists already. It appears with its content, never empty. */
export function createLockFile(path: string, content: string): Promise<boolean> {
  return onDisk('create', path, () => withTemporary(path, content, async (temporary) => {
    try {
      await link(temporary, path);
      return true;
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
  }));
}

/** Replaces the file's content in one step. */
export function replaceLockFile(path: string, content: string): Promise<void> {
  return onDisk('replace', path, () => withTemporary(path, content, (temporary) => rename(temporary, path)));
}

/** Undefined when there is none. `refreshedAt` in milliseconds since the epoch. */
export function readLockFile(path: string): Promise<{ content: string; refreshedAt: number } | undefined> {
  return onDisk('read', path, async () => {
    try {
      const [content, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
      return { content, refreshedAt: mtimeMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  });
}

/** Says "still here" to whoever cannot look at our process. */
export function refreshLockFile(path: string, now: Date): Promise<void> {
  return onDisk('refresh', path, () => utimes(path, now, now));
}

export function removeLockFile(path: string): Promise<void> {
  return onDisk('remove', path, () => rm(path, { force: true }));
}

/** True for a running process, also for one we may not signal. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

/** When the process started, in clock ticks since boot; undefined where `/proc` does not say. A recycled pid has another value. */
export async function processStartTime(pid: number): Promise<string | undefined> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may contain anything; field 22 is counted from behind it.
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Names the machine or container: process numbers mean nothing elsewhere. */
export function machineName(): string {
  return hostname();
}

async function withTemporary<T>(path: string, content: string, use: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = `${path}.${process.pid}.${shortId()}.tmp`;
  await writeFile(temporary, content, { flag: 'wx', mode: 0o600 });
  try {
    return await use(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}
