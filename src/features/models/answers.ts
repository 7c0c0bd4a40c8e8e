/** The answer schemas of the `models.*` methods. */
import { z } from 'zod';
import { list, text } from '../../protocol/answers/shapes.ts';

const provider = z.strictObject({
  id: text,
  label: text,
  key: z
    .enum(['config', 'environment', 'missing', 'not needed'])
    .describe('Where the key comes from; never the key. A server on this machine needs none.'),
  envKeys: list(text).describe('Environment variables that may carry the key.'),
  defaultModel: text.exactOptional(),
  models: list(z.strictObject({ id: text, name: text })),
});
const ms = z.number().describe('Milliseconds until the answer or the error.');

export const answers = {
  'models.providers': z.strictObject({ providers: list(provider) }),
  'models.test': z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), ms, text: text.describe('The beginning of the answer.') }),
    z.strictObject({ ok: z.literal(false), ms, code: text, problem: text }),
  ]),
};
export type ModelAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };

declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends ModelAnswers {}
}
