/** Answer types of the browser methods, and payloads of their events. */
import { z } from 'zod';
import { instant, list, text } from '../../protocol/answers/shapes.ts';

const ok = z.strictObject({ ok: z.literal(true) });
const control = z
  .enum(['agent', 'you', 'somebody'])
  .describe('Who acts in the tab: its agent, this connection, or a person elsewhere.');
const acted = z.strictObject({
  kind: text.describe('What was done: `click`, `type`, `navigate`, …'),
  label: text.exactOptional().describe('What it was done to, e.g. `button "Order"`, or an address.'),
  box: z
    .strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
    .exactOptional()
    .describe('Where it is in the window, in CSS pixels.'),
  at: instant,
});
const tab = z.strictObject({
  targetId: text,
  title: text,
  url: text,
  lastUsedAt: instant,
  control,
  crashed: z.boolean(),
  sessionKey: text.exactOptional().describe('The session it belongs to; absent: nobody, or the operator.'),
  dialog: z.strictObject({ type: text, message: text }).exactOptional().describe('Open, and waits for an answer.'),
});
const profile = z.strictObject({
  name: text,
  color: text,
  isDefault: z.boolean(),
  isRemote: z.boolean(),
  attachOnly: z.boolean(),
  running: z.boolean(),
  version: text.exactOptional(),
  tabs: list(tab),
});
const download = z.strictObject({
  id: text,
  profile: text,
  targetId: text,
  url: text,
  name: text,
  at: instant,
  state: z.enum(['running', 'saved', 'failed']),
  path: text.exactOptional().describe('On the gateway.'),
  bytes: z.number().exactOptional(),
  why: text.exactOptional(),
});

export const answers = {
  'browser.request': z.record(z.string(), z.unknown()).describe('The answer of the route.'),
  'browser.overview': z.strictObject({ enabled: z.boolean(), profiles: list(profile), downloads: list(download) }),
  'browser.watch': z.strictObject({ targetId: text, control, acted: acted.exactOptional() }),
  'browser.unwatch': ok,
  'browser.control': z.strictObject({ targetId: text, control }),
  'browser.input': ok,
  'browser.file': z.strictObject({
    name: text,
    size: z.number(),
    content: text.describe('Base64 of the part from `offset` on.'),
    nextOffset: z.number().exactOptional().describe('Where the next part begins; absent: this was the last.'),
  }),
};

/** Payloads of the events about browsers. */
export const payloads = {
  'browser.changed': z.strictObject({}).describe('Browsers, tabs or downloads are otherwise: ask `browser.overview`.'),
  'browser.frame': z
    .strictObject({
      targetId: text,
      data: text.describe('JPEG, base64.'),
      width: z.number().describe('Of the window, in CSS pixels.'),
      height: z.number(),
    })
    .describe('To connections that watch the tab, and no others.'),
  'browser.acted': acted.extend({ targetId: text }).describe('To connections that watch the tab, and no others.'),
};

/** The answer of each method. */
export type BrowserAnswers = { readonly [K in keyof typeof answers]: z.output<(typeof answers)[K]> };
type Payloads = { readonly [E in keyof typeof payloads]: z.output<(typeof payloads)[E]> };
declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends BrowserAnswers {}
  interface FeatureEvents extends Payloads {}
}
