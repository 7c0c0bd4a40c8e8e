/** Converts file errors of the operating system to errors that say what to do. */
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space or raise the quota',
  EROFS: 'the file system is read-only; mount it writable or move the state directory',
  EACCES: 'access was refused; check the owner and the permissions',
  EPERM: 'the operation is not permitted; check the owner, the permissions and file attributes',
  EIO: 'the disk reports an input/output error; check its health and restore from a backup',
  EMFILE: 'too many files are open; raise the limit of open files (ulimit -n)',
  ENFILE: 'the system has too many files open; raise its limit',
};

/** True for `ENOENT` and `ENOTDIR`: there is nothing at that path. */
export function isMissing(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The operating system's code (`ENOENT`), when the error carries one. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Wraps a file error as `AppError('storage')` naming the path and the way out; other errors keep their text. */
export function storageError(action: string, path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const errno = errnoOf(error);
  const advice = errno === undefined ? undefined : ADVICE[errno];
  const reason = advice ?? (error instanceof Error ? withoutCall(error) : String(error));
  return new AppError('storage', `Could not ${action} ${path}: ${reason}.`, {
    cause: error,
    details: present({ path, errno: errno || undefined }),
  });
}

/** The system's name of the file is not always the one the reader knows; the path above is. */
function withoutCall(error: Error): string {
  const at = 'syscall' in error ? error.message.indexOf(`, ${String(error.syscall)}`) : -1;
  return at === -1 ? error.message : error.message.slice(0, at);
}

/** Runs a file operation; whatever it throws leaves as `AppError('storage')`. */
export async function onDisk<T>(action: string, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storageError(action, path, error);
  }
}
