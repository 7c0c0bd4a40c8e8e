/**
 * The folders in which tests make their temporary files. They lie in memory where there is room: tests open, sync and
 * remove thousands of databases, and to wait for a disk took half of their time and a fifth of that of the processor.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 3e9;

/** What is tested in boxes: a sandbox refuses a workspace in a folder of the system, which `/dev` is. */
const ON_DISK = ['src/features/exec/', 'src/features/browser/', 'test/security/', 'test/e2e/exec'];

/** What is still there when this process exits is removed then. */
export function temporaryFolders() {
  const made = new Set();
  const remove = (path) => {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
      made.delete(path);
    } catch (error) {
      // A process that a test left behind still writes there.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EBUSY') throw error;
    }
  };
  process.on('exit', () => made.forEach(remove));
  return {
    /** For a process that runs these test files. */
    make(files) {
      const path = mkdtempSync(join(parentFor(files), 'tests-'));
      // Open to servers that give up their rights.
      chmodSync(path, 0o755);
      made.add(path);
      return path;
    },
    remove,
  };
}

/** Those of tests have short names, because the name of a socket has at most 107 characters. */
function parentFor(files) {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  const onDisk = files.some((file) => ON_DISK.some((prefix) => file.startsWith(prefix)));
  return !onDisk && isRoomy(IN_MEMORY) ? IN_MEMORY : tmpdir();
}

/** Containers often give it 64 MB; some systems start no program from it. The last of several mounts counts. */
function isRoomy(path) {
  try {
    const { bavail, bsize } = statfsSync(path);
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === path);
    return bavail * bsize > ENOUGH_BYTES && mounted !== undefined && !/\bnoexec\b/.test(mounted);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return false;
  }
}
