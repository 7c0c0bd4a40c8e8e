/**
 * The folder in which tests make their temporary files. It lies in memory where there is room: tests open, sync and
 * remove thousands of databases, and to wait for a disk took half of their time and a fifth of that of the processor.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 3e9;

/** What is tested in boxes: a sandbox refuses a workspace in a folder of the system, which `/dev` is. */
const ON_DISK = ['src/features/exec/', 'src/features/browser/', 'test/security/', 'test/e2e/exec'];

/** Of all files of a batch. */
export const mayLieInMemory = (files) => !files.some((file) => ON_DISK.some((prefix) => file.startsWith(prefix)));

/** Makes one, which is removed, with what tests left in it, when this process exits. */
export function temporaryFolder({ inMemory }) {
  const parent = process.env.TMPDIR ?? (inMemory && isRoomy(IN_MEMORY) ? IN_MEMORY : tmpdir());
  const path = folderIn(parent);
  process.on('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** A short name, because that of a socket may have 107 characters; open to servers that give up their rights. */
export function folderIn(parent) {
  const path = mkdtempSync(join(parent, 'tests-'));
  chmodSync(path, 0o755);
  return path;
}

/** Containers often give it 64 MB; some systems start no program from it. */
function isRoomy(path) {
  try {
    const { bavail, bsize } = statfsSync(path);
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === path);
    return bavail * bsize > ENOUGH_BYTES && mounted !== undefined && !/\bnoexec\b/.test(mounted);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return false;
  }
}
