/** Keeps a backup of the last good copy of a file, and uses it when the file cannot be read. */
import { quarantine, readTextIfExists, removeIfExists, writeFileAtomic } from './files.ts';

/** A file that made no sense, and what was done about it. */
export interface Damage {
  readonly path: string;
  /** Where what made no sense lies now. */
  readonly aside: string | undefined;
  /** The last good copy is in its place. */
  readonly restored: boolean;
}

/** How a kept file is read; `now` in milliseconds since the epoch. */
export interface BackedUpReading<T> {
  /** Undefined: the text makes no sense. */
  readonly parse: (text: string) => T | undefined;
  readonly now: number;
  readonly damaged: (damage: Damage) => void;
}

const copyOf = (path: string): string => `${path}.last-good`;

/**
 * Undefined when there is no such file, or nothing of it that makes sense. Whoever deletes a file means it: its copy
 * goes too.
 */
export async function readBackedUp<T>(
  path: string,
  { parse, now, damaged }: BackedUpReading<T>,
): Promise<T | undefined> {
  const [text, copy] = [await readTextIfExists(path), await readTextIfExists(copyOf(path))];
  if (text === undefined) {
    if (copy !== undefined) await removeIfExists(copyOf(path));
    return undefined;
  }
  const found = parse(text);
  if (found !== undefined) {
    if (copy !== text) await writeFileAtomic(copyOf(path), text); // a person's change holds for the copy as well
    return found;
  }
  const aside = await quarantine(path, now);
  const good = copy === undefined ? undefined : parse(copy);
  if (copy !== undefined && good !== undefined) await writeFileAtomic(path, copy);
  damaged({ path, aside, restored: good !== undefined });
  return good;
}

/** The file first: a copy that is older than it is brought up to date by the next reading. */
export async function writeBackedUp(path: string, text: string): Promise<void> {
  await writeFileAtomic(path, text);
  await writeFileAtomic(copyOf(path), text);
}
