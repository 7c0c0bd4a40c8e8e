/** The answer schemas of the `storage.*` methods. */
import { z } from 'zod';

const bytes = z.number();

const use = z.strictObject({
  journalBytes: bytes.describe('The journal with its log.'),
  transcriptBytes: bytes.describe('Transcripts of sessions there are.'),
  leftTranscriptBytes: bytes.describe('Transcripts of sessions that were reset or deleted.'),
  mediaBytes: bytes.describe('Files that came with messages or were sent.'),
  logBytes: bytes.describe('Daily log files.'),
  freeBytes: bytes.describe('What the disk has left for this user.'),
});
/** What is stored, by kind. */
export type StorageUse = z.output<typeof use>;

export const answers = {
  'storage.use': use,
  'storage.prune': z.strictObject({
    files: z.number(),
    bytes,
    dryRun: z.boolean().describe('Nothing was removed; this is what would be.'),
  }),
};
/** The answers of these methods, by their names. */
export type RetentionAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };
