/** Pages of documents that are nothing but pictures are read by whoever understands pictures. */
import type { AttachmentFile } from '../attachments.ts';
import { inParallel } from '../in-parallel.ts';
import { closedBy } from './closed-by.ts';
import type { MediaRun } from './media-run.ts';
import { understandFile, type Understood } from './understand-file.ts';

/** One answer a page, in their order; `maxChars` is for each. Rejects only with `aborted`. */
export type PageReader = (pages: readonly AttachmentFile[], maxChars: number) => Promise<readonly Understood[]>;

/** What is configured for pictures asks for a description; of a page the words are wanted. */
const PROMPT =
  'This is a page of a document. Write down all of its text, word for word, in reading order, and nothing ' +
  'else. Describe what is not text in a few words, in square brackets.';

/** Undefined if pictures are not understood in this conversation, or nobody can. */
export async function pageReader(run: MediaRun): Promise<PageReader | undefined> {
  if (closedBy('image', run)) return undefined;
  const { entries, auto } = await run.entriesFor('image');
  if (entries.length === 0) return undefined;
  return (pages, maxChars) => {
    const plain = entries.map(({ prompt: _ofPictures, maxChars: _ofADescription, ...entry }) => entry);
    const block = { ...run.config.image, prompt: PROMPT, maxChars };
    return inParallel(pages, run.config.concurrency, (file) =>
      understandFile({ entries: plain, auto, file, capability: 'image', block, context: run.context }, run.deps),
    );
  };
}
