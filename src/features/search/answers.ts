/** The answer schema of `sessions.search`. */
import { z } from 'zod';
import { instant, list, text } from '../../protocol/answers/shapes.ts';

const found = z.strictObject({
  key: text.describe('The session.'),
  runId: text.exactOptional(),
  role: z.enum(['user', 'assistant']),
  at: instant,
  excerpt: text.describe('The words around the first match, one line.'),
});
/** A message that contains the words. */
export type FoundMessage = z.output<typeof found>;

export const answers = {
  'sessions.search': z.strictObject({
    results: list(found),
    searched: z.number().describe('Sessions that were looked through.'),
    complete: z.boolean().describe('False: there were more results than the limit, or it would have taken too long.'),
  }),
};
export type SearchAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };

declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends SearchAnswers {}
}
