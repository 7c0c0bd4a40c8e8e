/** Keeps the last five versions of a file before changing it, and reads them back. */
import { copyIfExists, moveFile, readTextIfExists, statIfExists } from '../platform/files.ts';
import { sha256Hex } from '../platform/ids.ts';

/** `.bak` is the newest, `.bak.4` the oldest. */
const SUFFIXES = ['.bak', '.bak.1', '.bak.2', '.bak.3', '.bak.4'];

/** A version that was replaced. */
export interface EarlierText {
  readonly raw: string;
  /** sha256 of `raw`. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly replacedAt: number;
}

export async function backUp(path: string): Promise<void> {
  for (let older = SUFFIXES.length - 1; older > 0; older--) {
    const from = path + SUFFIXES[older - 1]!;
    if (await statIfExists(from)) await moveFile(from, path + SUFFIXES[older]!);
  }
  await copyIfExists(path, path + SUFFIXES[0]!);
}

/** The newest first; of several that are the same the newest. */
export async function earlierTexts(path: string): Promise<readonly EarlierText[]> {
  const found = await Promise.all(
    SUFFIXES.map(async (suffix) => {
      const [facts, raw] = await Promise.all([statIfExists(path + suffix), readTextIfExists(path + suffix)]);
      return facts?.kind === 'file' && raw !== undefined
        ? [{ raw, hash: sha256Hex(raw), replacedAt: Math.round(facts.modifiedAt) }]
        : [];
    }),
  );
  return [
    ...new Map(
      found
        .flat()
        .toReversed()
        .map((one) => [one.hash, one]),
    ).values(),
  ].sort((a, b) => b.replacedAt - a.replacedAt);
}
