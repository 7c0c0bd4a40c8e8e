/** Answer types of the canvas methods, and the payload of its event. */
import { z } from 'zod';
import { list, text } from '../../protocol/answers/shapes.ts';
import type { FramedCanvas } from '../../protocol/framed-canvas.ts';

const document = z.strictObject({
  id: text,
  kind: z.enum(['html', 'url', 'path']),
  title: text.exactOptional(),
  version: z.number(),
  createdAt: text.describe('Of this version, ISO 8601.'),
  bytes: z.number(),
  agentId: text,
  sessionKey: text.describe('The session it was made in.'),
  url: text.describe('Its address, for `canvas.open`.'),
});
/** A document, as lists show it. */
export type WireDocument = z.output<typeof document>;

export const answers = {
  'canvas.open': z.strictObject({
    path: text.exactOptional().describe('Path on this gateway, with a token that expires.'),
    port: z.number().exactOptional().describe('The port the path is on, where it is not the port of the gateway.'),
    url: text.exactOptional().describe('In place of a path: a page of another site.'),
    sandbox: text.describe('The `sandbox` of a frame around it.'),
    title: text.exactOptional(),
    preferredHeight: z.number().exactOptional(),
    expiresAt: z.number().exactOptional().describe('Milliseconds since the epoch.'),
  }),
  'canvas.documents.list': z.strictObject({ documents: list(document), total: z.number() }),
  'canvas.documents.get': z.strictObject({
    document,
    versions: list(z.number()).describe('Earlier versions that are kept, oldest first.'),
    assets: list(z.strictObject({ path: text, contentType: text, bytes: z.number() })),
  }),
  'canvas.documents.delete': z.strictObject({ id: text, deleted: z.boolean() }),
  'canvas.documents.restore': z.strictObject({ document }),
} satisfies Readonly<Record<string, z.ZodType>> & { readonly 'canvas.open': z.ZodType<FramedCanvas> };
/** The answers of these methods, by their names. */
export type CanvasAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };

/** Payload of the `canvas.changed` event. */
export const payloads = { 'canvas.changed': z.strictObject({ id: text.describe('The document that changed.') }) };

type Payloads = { readonly [E in keyof typeof payloads]: z.output<(typeof payloads)[E]> };
declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends CanvasAnswers {}
  interface FeatureEvents extends Payloads {}
}
