/** Keeps the last five versions of a file before changing it. */
import { copyIfExists, moveFile, statIfExists } from '../platform/files.ts';

/** `.bak` is the newest, `.bak.4` the oldest. */
const SUFFIXES = ['.bak', '.bak.1', '.bak.2', '.bak.3', '.bak.4'];

export async function backUp(path: string): Promise<void> {
  for (let older = SUFFIXES.length - 1; older > 0; older--) {
    const from = path + SUFFIXES[older - 1]!;
    if (await statIfExists(from)) await moveFile(from, path + SUFFIXES[older]!);
  }
  await copyIfExists(path, path + SUFFIXES[0]!);
}
