/** `canvas_document`: creates and manages pages that are shown inside an answer. */
import { basename } from 'node:path';
import { z } from 'zod';
import {
  defineTool,
  errorResult,
  present,
  textResult,
  type ToolContext,
  type ToolResult,
} from '../../../../sdk/index.ts';
import { readWhole } from '../../../../sdk/files.ts';

const ACTIONS = ['create', 'list', 'read', 'delete', 'restore'] as const;

const input = z.object({
  action: z
    .enum(ACTIONS)
    .default('create')
    .describe('create (default) needs html, path or url; read and delete need id; restore needs id and version'),
  html: z.string().optional().describe('create: the whole page. Scripts and styles may stand in it'),
  path: z
    .string()
    .optional()
    .describe('create: a file of the workspace in place of html: a page, a picture, a film, a sound, a text'),
  url: z.string().optional().describe('create: an https page in place of html, where the gateway allows it'),
  assets: z
    .array(z.string())
    .optional()
    .describe('create: files of the workspace the page loads, each beside it under its own name, or "name=path"'),
  title: z.string().optional().describe('create: what people read above it'),
  height: z.number().optional().describe('create: height in pixels, 160 to 1200'),
  sandbox: z.enum(['strict', 'scripts']).optional().describe('create: strict runs no scripts'),
  id: z
    .string()
    .optional()
    .describe('A document. create: one that is known is replaced, and its last versions are kept'),
  version: z.number().optional().describe('restore: an earlier version'),
});
type Input = z.output<typeof input>;

/** As the gateway answers; the tool passes it on. */
interface Kept {
  readonly document: {
    readonly id: string;
    readonly title?: string;
    readonly version: number;
    readonly bytes: number;
    readonly createdAt: string;
  };
  readonly preview: unknown;
}

const MAX_BYTES = 50 * 1024 * 1024;

export default defineTool<Input>({
  name: 'canvas_document',
  summary: 'Show a page inside the answer: charts, dashboards, forms, tables, pictures',
  description: [
    'Makes a document and shows it inside your answer in the Control UI; other chats get its title. Use it where a ' +
      'page says more than text: charts, dashboards, diagrams, long tables, small tools.',
    'The page is whole: HTML with its styles and scripts in it, or with files from `assets` beside it. It runs in a ' +
      'sandbox without access to the gateway, to storage or to other sites, so libraries have to be in the page. ' +
      'It fits 320 to 900 pixels of width, in light and dark.',
    'It is attached to your answer by itself. To show one again: [embed ref="<id>" title="…" /].',
  ].join('\n'),
  input,
  aliases: { content: 'html', file: 'path', ref: 'id' },
  async run(input, ctx) {
    ctx.signal.throwIfAborted();
    switch (input.action) {
      case 'create':
        return create(input, ctx);
      case 'list':
        return list(ctx);
      case 'read':
      case 'delete':
      case 'restore':
        return input.id === undefined
          ? errorResult(`${input.action} needs id. \`list\` names them.`)
          : change(input, input.id, ctx);
    }
  },
});

async function create(input: Input, ctx: ToolContext): Promise<ToolResult> {
  const { html, path, url, assets = [], title, height, sandbox, id } = input;
  const file = path === undefined ? undefined : { name: basename(path), data: await readWhole(path, ctx, MAX_BYTES) };
  const files = [];
  for (const asset of assets) files.push(await assetOf(asset, ctx));
  const kept = await ctx.rpc(
    'documents.create',
    present({ html, url, file, assets: files, title, height, sandbox, id }),
  );
  return shown(kept as Kept, 'It is shown with your answer.');
}

/** `name=path`, or a path whose last part is the name. */
async function assetOf(written: string, ctx: ToolContext): Promise<{ path: string; data: Uint8Array }> {
  const [, name, path = written] = /^([^=]+)=(.+)$/.exec(written) ?? [];
  return { path: name?.trim() ?? basename(path), data: await readWhole(path.trim(), ctx, MAX_BYTES) };
}

/** A preview in the details is attached to the answer. */
const shown = ({ document, preview }: Kept, then: string): ToolResult =>
  textResult(`Document ${document.id}, version ${document.version}, ${document.bytes} bytes. ${then}`, { preview });

async function list(ctx: ToolContext): Promise<ToolResult> {
  const documents = (await ctx.rpc('documents.list', {})) as readonly Kept['document'][];
  return textResult(
    documents.length === 0
      ? 'This conversation has no documents.'
      : documents
          .map(({ id, title = '', version, createdAt }) =>
            `${id}  version ${version}  ${createdAt}  ${title}`.trimEnd(),
          )
          .join('\n'),
  );
}

async function change({ action, version }: Input, id: string, ctx: ToolContext): Promise<ToolResult> {
  if (action === 'read') {
    const { document, html } = (await ctx.rpc('documents.read', { id })) as Pick<Kept, 'document'> & {
      readonly html: string;
    };
    return textResult(`Document ${document.id}, version ${document.version}:\n${html}`);
  }
  if (action === 'delete') {
    await ctx.rpc('documents.delete', { id });
    return textResult(`Document ${id} was removed.`);
  }
  if (version === undefined) return errorResult('restore needs version: the number of an earlier one.');
  return shown(
    (await ctx.rpc('documents.restore', { id, version })) as Kept,
    `It has the content of version ${version} again.`,
  );
}
