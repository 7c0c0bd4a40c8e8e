/** Gateway methods `a2ui.*`: read canvases, push messages to them, and create links. */
import { z } from 'zod';
import type { HostSessions } from '../../host/host.ts';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import type { A2uiAnswers } from './answers.ts';
import type { CanvasActions } from './canvas-actions.ts';
import { MAX_JSONL_CHARS } from './limits.ts';

/** Canvases that are told of at once. */
export const MAX_LISTED = 200;

const sessionKey = z.string().min(1).max(512).optional().describe('Its canvas. Default: the main session.');
const surfaceId = z.string().min(1).max(256).optional();
const url = z.string().max(4096);
const pixels = z.number().optional();
const placement = z.strictObject({ x: pixels, y: pixels, width: pixels, height: pixels });

export const a2uiSpecs = defineMethods({
  'a2ui.push': {
    summary: 'Applies messages of A2UI to the canvas of a session: surfaces, their components and their data.',
    needs: 'operator.write',
    params: z.strictObject({
      sessionKey,
      jsonl: z.string().max(MAX_JSONL_CHARS).describe('One message a line; every fault is listed with its line.'),
    }),
  },
  'a2ui.reset': {
    summary: 'Deletes one surface of a canvas, or all of them.',
    needs: 'operator.write',
    params: z.strictObject({ sessionKey, surfaceId: surfaceId.describe('Absent: all of them.') }),
  },
  'a2ui.show': {
    summary: 'Shows a canvas, hides it, or shows a page in its place.',
    needs: 'operator.write',
    params: z.strictObject({
      sessionKey,
      visible: z.boolean().optional().describe('Default: true.'),
      url: url.optional().describe('An http or https address, or a path of the canvas host. Absent: the surfaces.'),
      placement: placement.optional().describe("Of the gateway's own window, in pixels."),
    }),
  },
  'a2ui.eval': {
    summary: "Runs a script in the page that the gateway's own window shows.",
    needs: 'operator.admin',
    params: z.strictObject({ sessionKey, javaScript: z.string().min(1).max(100_000) }),
  },
  'a2ui.snapshot': {
    summary: "A picture of the canvas, made in the gateway's own window.",
    needs: 'operator.read',
    params: z.strictObject({
      sessionKey,
      format: z.enum(['png', 'jpeg']).optional().describe('Default: png.'),
      maxWidth: z.number().int().min(1).max(8192).optional().describe('Pixels.'),
      quality: z.number().min(0).max(1).optional().describe('Of a jpeg.'),
      delayMs: z.number().int().min(0).max(30_000).optional(),
    }),
    heavy: true,
  },
  'a2ui.list': {
    summary: 'Lists the canvases that hold surfaces, the last changed first.',
    needs: 'operator.read',
    params: z.strictObject({}),
  },
  'a2ui.get': {
    summary: 'What the canvas of a session holds.',
    needs: 'operator.read',
    params: z.strictObject({ sessionKey }),
  },
  'a2ui.link': {
    summary: 'The address at which a browser shows a canvas, or one surface of it, and acts on it.',
    needs: 'operator.write',
    params: z.strictObject({
      sessionKey,
      surfaceId: surfaceId.describe('Absent: the whole canvas.'),
      renew: z.boolean().optional().describe('The old address stops working.'),
    }),
  },
});

export const a2uiMethods = (
  actions: CanvasActions,
  { mainKey, canonicalKey }: Pick<HostSessions, 'mainKey' | 'canonicalKey'>,
): MethodWorks<typeof a2uiSpecs, A2uiAnswers> => {
  const keyOf = (written: string | undefined): string => (written === undefined ? mainKey() : canonicalKey(written));
  return {
    'a2ui.push': ({ sessionKey: key, jsonl }) => actions.push(keyOf(key), jsonl),
    'a2ui.reset': ({ sessionKey: key, surfaceId: id }) => actions.reset(keyOf(key), id),
    'a2ui.show': ({ sessionKey: key, ...view }) => actions.show(keyOf(key), view),
    'a2ui.eval': ({ sessionKey: key, javaScript }, { signal }) => actions.evaluate(keyOf(key), javaScript, signal),
    'a2ui.snapshot': ({ sessionKey: key, format = 'png', ...picture }, { signal }) =>
      actions.snapshot(keyOf(key), { format, ...picture }, signal),
    'a2ui.list': () => actions.list(MAX_LISTED),
    'a2ui.get': ({ sessionKey: key }) => actions.get(keyOf(key)),
    'a2ui.link': ({ sessionKey: key, surfaceId: id, renew }) => actions.link(keyOf(key), id, renew),
  };
};
