/** Answer types of the a2ui methods, and payloads of their events. */
import { z } from 'zod';

const surfaceIds = z.array(z.string());
const view = z.object({
  visible: z.boolean(),
  url: z.string().optional(),
});

export const answers = {
  'a2ui.push': z.strictObject({
    ok: z.literal(true),
    sessionKey: z.string(),
    version: z.string().describe('Of A2UI.'),
    messages: z.number(),
    surfaces: surfaceIds.describe('Those that were changed.'),
    warnings: z.array(z.string()).describe('What shows as a placeholder, or not at all.'),
    viewers: z.number().describe('Pages that show this canvas now.'),
  }),
  'a2ui.reset': z.strictObject({ ok: z.literal(true), sessionKey: z.string(), surfaces: surfaceIds }),
  'a2ui.show': z.strictObject({
    ok: z.literal(true),
    sessionKey: z.string(),
    view,
    viewers: z.number(),
    note: z.string().optional(),
  }),
  'a2ui.eval': z.strictObject({ result: z.string() }),
  'a2ui.snapshot': z.strictObject({ format: z.enum(['png', 'jpeg']), base64: z.string() }),
  'a2ui.list': z.strictObject({
    canvases: z.array(
      z.strictObject({ sessionKey: z.string(), surfaces: z.number(), updatedAt: z.number(), viewers: z.number() }),
    ),
  }),
  'a2ui.get': z.strictObject({
    sessionKey: z.string(),
    view,
    viewers: z.number(),
    surfaces: z.array(
      z.strictObject({
        id: z.string(),
        version: z.string(),
        components: z.number(),
        shown: z.boolean().describe('False: `beginRendering` has not come yet.'),
        warnings: z.array(z.string()),
      }),
    ),
  }),
  'a2ui.link': z.strictObject({
    path: z
      .string()
      .describe('Of the page, on the port of the gateway; whoever has it can see the canvas and act on it.'),
  }),
};
/** The answers of these methods, by their names. */
export type A2uiAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };

/** Payloads of the events. */
export const payloads = {
  'a2ui.changed': z.strictObject({ sessionKey: z.string().describe('Its canvas has other surfaces than before.') }),
};

type Answered = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };
type Payloads = { readonly [E in keyof typeof payloads]: z.output<(typeof payloads)[E]> };
declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends Answered {}
  interface FeatureEvents extends Payloads {}
}
