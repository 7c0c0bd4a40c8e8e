/**
 * Decides whether code may be run from its location: only the owner may be able to change it, and no agent may write
 * there.
 */
import { AppError } from '../core/errors.ts';
import { realPathIfExists } from '../platform/files.ts';
import { liesUnder } from '../platform/inside.ts';
import { findOtherWriter } from '../platform/own-code.ts';
import type { Located } from './locate.ts';

export interface Origin {
  /** The file to import: the one that was checked. */
  readonly file: string;
  /** What the plugin is: that file, or its folder. */
  readonly real: string;
}

/** `closed`: folders no code comes from. Rejects with `AppError('denied')`. */
export async function checkOrigin(
  { file, folder }: Located,
  written: string,
  closed: readonly string[],
): Promise<Origin> {
  const refuse = (why: string): AppError => new AppError('denied', `The plugin ${written} is not loaded: ${why}`);
  const [realFile, realFolder] = [
    await realPathIfExists(file),
    folder === undefined ? undefined : await realPathIfExists(folder),
  ];
  if (realFile === undefined) throw new AppError('not_found', `plugins.load.paths: "${written}" does not exist.`);
  if (realFolder !== undefined && !(await liesUnder(realFile, [realFolder])))
    throw refuse(`its entry ${realFile} is outside its folder ${realFolder}.`);
  const real = realFolder ?? realFile;
  const [below, above] = [
    await liesUnder(real, closed),
    (await Promise.all(closed.map((path) => liesUnder(path, [real])))).includes(true),
  ];
  if (below || above)
    throw refuse(
      `${real} ${below ? 'lies in' : 'holds'} a folder that agents or senders can write to. Move the plugin elsewhere.`,
    );
  const problem = await findOtherWriter(real);
  if (problem !== undefined) throw refuse(problem);
  return { file: realFile, real };
}
