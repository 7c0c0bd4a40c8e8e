/** The local programs that read media, as `onboard` and `doctor` list them. */
import type { Env } from '../platform/env.ts';
import { findProgram } from '../platform/find-program.ts';

const LOCAL_PROGRAMS: readonly (readonly [program: string, does: string, debian: string])[] = [
  ['ffmpeg', 'audio and video', 'ffmpeg'],
  ['whisper-cli', 'speech', 'whisper.cpp'],
  ['pocketsphinx_continuous', 'speech, roughly', 'pocketsphinx pocketsphinx-en-us'],
  ['tesseract', 'text in images', 'tesseract-ocr'],
  ['pdftoppm', 'scanned PDF', 'poppler-utils'],
];

/** In words: those on `PATH` by their names, the others by what to install; empty when there are none. */
export async function findLocalPrograms(env: Env): Promise<{ readonly there: string; readonly missing: string }> {
  const found = await Promise.all(
    LOCAL_PROGRAMS.map(async ([program]) => (await findProgram(program, env.get('PATH'))) !== undefined),
  );
  const isThere = (there: boolean): string =>
    LOCAL_PROGRAMS.filter((_program, index) => found[index] === there)
      .map(([program, does, debian]) => `${there ? program : debian} (${does})`)
      .join(', ');
  return { there: isThere(true), missing: isThere(false) };
}
