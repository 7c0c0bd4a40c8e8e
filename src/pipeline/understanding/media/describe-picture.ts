/**
 * A picture the agent asks about: the question goes to whoever understands pictures, one after the other until somebody
 * answers.
 */
import type { MediaEntry } from '../../../config/understanding-config.ts';
import type { MediaRun } from './media-run.ts';
import { understandFile, type Understood } from './understand-file.ts';

export interface PictureQuestion {
  readonly prompt: string;
  /** Nobody else is asked then. */
  readonly model?: { readonly provider: string; readonly model: string };
}

/** Characters of an answer; a question may ask for all the text in a picture. */
const MAX_CHARS = 8000;

/** About the first file of the scene. Without anybody to ask: no attempts. Rejects only with `aborted`. */
export async function describePicture(run: MediaRun, { prompt, model }: PictureQuestion): Promise<Understood> {
  const { entries, auto } = model ? { entries: [named(model)], auto: false } : await run.entriesFor('image');
  const plain = entries.map(({ prompt: _general, maxChars: _description, ...entry }) => entry);
  const block = { ...run.config.image, prompt, maxChars: MAX_CHARS };
  return understandFile(
    { entries: plain, auto, file: run.context.files[0]!, capability: 'image', block, context: run.context },
    run.deps,
  );
}

const named = ({ provider, model }: { readonly provider: string; readonly model: string }): MediaEntry => ({
  type: 'provider',
  provider,
  model,
  args: [],
  passEnv: [],
});
