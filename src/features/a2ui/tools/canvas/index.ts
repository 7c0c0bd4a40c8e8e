/** `canvas`: shows pages and surfaces to people, on a node, in the window of the gateway, or in any browser. */
import { z } from 'zod';
import {
  defineTool,
  errorResult,
  gatewayParameters,
  rpcOf,
  textResult,
  type ToolResult,
} from '../../../../sdk/index.ts';
import { decodeText, readWhole } from '../../../../sdk/files.ts';
import { inert, wrapUntrusted } from '../../../../sdk/untrusted.ts';
import { chooseNode, isViewer, type ChosenNode } from './choose-node.ts';
import { actionOn, type Rpc, type Wanted } from './own-canvas.ts';
import { callNode } from './node-canvas.ts';
import { showPicture } from './show-picture.ts';

const ACTIONS = ['present', 'hide', 'navigate', 'eval', 'snapshot', 'a2ui_push', 'a2ui_reset'] as const;
const MAX_JSONL_BYTES = 2 * 1024 * 1024;

const input = z.object({
  action: z
    .enum(ACTIONS)
    .describe('What to do. navigate needs url; eval needs javaScript; a2ui_push needs jsonl or jsonlPath'),
  node: z
    .string()
    .optional()
    .describe(
      'Node id, name or address; "gateway" for the canvas of this conversation. Default: the only node with a ' +
        'canvas, else the gateway',
    ),
  target: z
    .string()
    .optional()
    .describe('present: a page to show: an http or https address, or a path of the canvas host'),
  x: z.number().optional().describe('present: left edge of the window, in pixels'),
  y: z.number().optional().describe('present: top edge'),
  width: z.number().optional().describe('present: width'),
  height: z.number().optional().describe('present: height'),
  url: z.string().optional().describe('navigate: the page'),
  javaScript: z.string().optional().describe('eval: the script; its value is the result'),
  outputFormat: z.enum(['png', 'jpg', 'jpeg']).optional().describe('snapshot: default png'),
  maxWidth: z.number().optional().describe('snapshot: pixels'),
  quality: z.number().optional().describe('snapshot: 0 to 1, for jpg'),
  delayMs: z.number().optional().describe('snapshot: milliseconds to wait first'),
  jsonl: z.string().optional().describe('a2ui_push: A2UI 0.8 messages, one JSON object a line'),
  jsonlPath: z.string().optional().describe('a2ui_push: a file of the workspace with such lines'),
  ...gatewayParameters,
});
type CanvasInput = z.output<typeof input>;

export default defineTool<CanvasInput>({
  name: 'canvas',
  summary: 'Show pages and interactive surfaces (A2UI) to people, and look at what they show',
  description: [
    'Shows pages and interactive surfaces. Usual order: present, a2ui_push, snapshot. What a person does on a ' +
      'surface comes back as a message that begins with CANVAS_A2UI; answer it by changing the surface.',
    'a2ui_push takes A2UI 0.8, one message a line: surfaceUpdate (components by id), dataModelUpdate (values for ' +
      'paths), beginRendering, before which nothing shows. Components: Text, Image, Icon, Video, AudioPlayer, Row, ' +
      'Column, List, Card, Tabs, Divider, Modal, Button, CheckBox, TextField, DateTimeInput, MultipleChoice, Slider. ' +
      'Example:',
    '{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"root","component":{"Button":{"child":"t","action":' +
      '{"name":"save","context":[{"key":"n","value":{"path":"/n"}}]}}}},{"id":"t","component":{"Text":{"text":' +
      '{"literalString":"Save"}}}}]}}',
    '{"dataModelUpdate":{"surfaceId":"main","contents":[{"key":"n","valueString":"x"}]}}',
    '{"beginRendering":{"surfaceId":"main","root":"root"}}',
  ].join('\n'),
  aliases: {
    nodeId: 'node',
    javascript: 'javaScript',
    script: 'javaScript',
    format: 'outputFormat',
    max_width: 'maxWidth',
    delay_ms: 'delayMs',
    jsonl_path: 'jsonlPath',
    path: 'jsonlPath',
  },
  input,
  async run(input, ctx) {
    ctx.signal.throwIfAborted();
    const missing = requirement(input);
    if (missing !== undefined) return errorResult(missing);
    const wanted: Wanted = { ...input, jsonl: input.action === 'a2ui_push' ? await linesOf(input, ctx) : undefined };
    const rpc = rpcOf(ctx, input);
    // Checked before anything is sent anywhere: a node may be far away, and says less about what is wrong.
    if (wanted.jsonl !== undefined) await ctx.rpc('a2ui.check', { jsonl: wanted.jsonl });
    const node = await chooseNode(input.node, rpc);
    const answer = node ? await onNode(node, wanted, rpc) : await actionOn(wanted, rpc);
    if ('picture' in answer) return showPicture(answer.picture, ctx);
    return input.action === 'eval' ? fromPage(answer.payload) : shown(answer.payload);
  },
});

/** On a browser as a node the gateway's own canvas is shown: it has the surfaces, and takes what people do there. */
async function onViewer(node: ChosenNode, wanted: Wanted, rpc: Rpc) {
  const { action, timeoutMs } = wanted;
  if (action === 'hide' || isDoneThere(node, action)) return callNode(node, wanted, rpc);
  const answer = await actionOn(wanted, rpc);
  if (action === 'eval' || action === 'snapshot' || action === 'a2ui_reset') return answer;
  const { path } = (await rpc('a2ui.link', {})) as { readonly path: string };
  const { x, y, width, height } = wanted;
  return callNode(node, { action: 'present', target: path, timeoutMs, x, y, width, height }, rpc);
}

/** A host with a window of its own runs scripts and takes pictures there; a page that only shows cannot. */
const isDoneThere = ({ commands = [] }: ChosenNode, action: Wanted['action']): boolean =>
  (action === 'eval' || action === 'snapshot') && commands.includes(`canvas.${action}`);

async function onNode(node: ChosenNode, wanted: Wanted, rpc: Rpc) {
  if (isViewer(node)) return onViewer(node, wanted, rpc);
  const answer = await callNode(node, wanted, rpc);
  // The surfaces stay at the gateway too: whoever opens the canvas in a browser sees the same.
  if (wanted.action === 'a2ui_push') await rpc('a2ui.push', { jsonl: wanted.jsonl });
  if (wanted.action === 'a2ui_reset') await rpc('a2ui.reset', {});
  return answer;
}

const shown = (payload: unknown): ToolResult =>
  typeof payload === 'string'
    ? textResult(payload, { result: payload })
    : textResult(JSON.stringify(payload, null, 2), payload);

/** What a script read is the page's own: it stands between marks. A script without a value is ours to tell. */
function fromPage(payload: unknown): ToolResult {
  if (typeof payload !== 'string') return shown(payload);
  const result = inert(payload);
  return textResult(wrapUntrusted(result, { source: 'Browser' }), { result });
}

function requirement({ action, url, javaScript, jsonl, jsonlPath }: CanvasInput): string | undefined {
  if (action === 'navigate' && !url?.trim()) return 'url required';
  if (action === 'eval' && !javaScript?.trim()) return 'javaScript required';
  if (action === 'a2ui_push' && !jsonl?.trim() && !jsonlPath?.trim()) return 'jsonl or jsonlPath required';
  return undefined;
}

async function linesOf({ jsonl, jsonlPath }: CanvasInput, ctx: Parameters<typeof readWhole>[1]): Promise<string> {
  if (jsonl?.trim()) return jsonl;
  // Wherever other tools may go, what is pushed comes from the workspace.
  const bytes = await readWhole(jsonlPath!.trim(), { ...ctx, confined: true, readableRoots: [] }, MAX_JSONL_BYTES);
  return decodeText(bytes)?.text ?? '';
}
