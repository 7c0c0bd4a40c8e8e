/** Small JSON files in an account's `stateDir`, for state that survives a restart. */
import { parseJson } from '../core/parse-json.ts';
import { join } from 'node:path';
import {
  listDir,
  moveFile,
  readTextIfExists,
  removeIfExists,
  statIfExists,
  writeFileAtomic,
} from '../platform/files.ts';

/**
 * What was written last; undefined when there is none or it makes no sense. The caller checks its shape. Rejects with
 * `AppError('storage')`.
 */
export async function readState(stateDir: string, name: string): Promise<unknown> {
  const text = await readTextIfExists(join(stateDir, name));
  return text === undefined ? undefined : parseJson(text);
}

/** The text of a file; undefined when there is none. Rejects with `AppError('storage')`. */
export const readStateText = (stateDir: string, name: string): Promise<string | undefined> =>
  readTextIfExists(join(stateDir, name));

/** As `writeState`, for a text that is made elsewhere. */
export const writeStateText = async (
  stateDir: string,
  name: string,
  text: string,
  { sync = true }: { readonly sync?: boolean } = {},
): Promise<void> => {
  await writeFileAtomic(join(stateDir, name), text, { sync });
};

/**
 * Replaces it as a whole; a crash leaves the old one or the new one. `sync: false`: after a power cut it may be the old
 * one, or empty.
 */
export const writeState = async (
  stateDir: string,
  name: string,
  state: unknown,
  { sync = true }: { readonly sync?: boolean } = {},
): Promise<void> => {
  await writeStateText(stateDir, name, JSON.stringify(state), { sync });
};

/** Names of the files, in order; those being written are left out. Empty when there is no such folder. */
export const listState = async (stateDir: string): Promise<readonly string[]> =>
  (await listDir(stateDir)).flatMap(({ name, kind }) => (kind === 'file' && !name.startsWith('.') ? [name] : []));

/** No error when there is none. */
export const removeState = (stateDir: string, name: string): Promise<void> => removeIfExists(join(stateDir, name));

/** Renames a file; false when there is none. */
export async function moveState(stateDir: string, from: string, to: string): Promise<boolean> {
  if (!(await statIfExists(join(stateDir, from)))) return false;
  await moveFile(join(stateDir, from), join(stateDir, to));
  return true;
}
