/**
 * Whether a path leads somewhere else for each process that follows it: through the links of `/proc`, wherever that is
 * mounted.
 */
import { readlink, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../../../platform/storage-error.ts';

/** Of the kernel's file system of processes; `/dev/stdin` and `/dev/fd` lead into it as well. */
const PROC = 0x9fa0;
/** The kernel itself follows 40. */
const MAX_LINKS = 40;

/** `path`: absolute. A shell that changed its folder and we do not mean the same file by `/proc/self/cwd/x`. */
export async function differsByProcess(path: string): Promise<boolean> {
  const waiting = partsOf(path);
  let real = '/';
  for (let links = 0; waiting.length > 0; ) {
    const part = waiting.pop() ?? '';
    const next = part === '..' ? dirname(real) : `${real === '/' ? '' : real}/${part}`;
    const target = part === '..' ? undefined : await orNothing(() => readlink(next));
    if (target === undefined) real = next;
    else if (++links > MAX_LINKS || (await orNothing(() => statfs(real)))?.type === PROC) return true;
    else {
      waiting.push(...partsOf(target));
      if (target.startsWith('/')) real = '/';
    }
  }
  return false;
}

const partsOf = (path: string): string[] =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .reverse();

async function orNothing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
