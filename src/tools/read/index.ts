/** `read`: shows the model a text file, a picture, or what is in a folder. */
import { z } from 'zod';
import {
  AppError,
  defineTool,
  errorResult,
  textResult,
  type ToolContext,
  type ToolResult,
  present,
} from '../../sdk/index.ts';
import { decodeText, listFolder, statToRead, readWhole, resolvePathToRead } from '../../sdk/files.ts';
import { pictureForModel, pictureKind, sizeText } from '../../sdk/pictures.ts';
import { MAX_BYTES, MAX_LINES, pageOf } from './page.ts';

/** Larger files are not loaded: decoding them would hold up everybody else. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Photographs are made smaller before they are shown. */
const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
const MAX_ENTRIES = 500;

export default defineTool({
  name: 'read',
  summary: 'Read a text file or a picture, or list a folder',
  does: [['read', 'received-file']],
  description:
    `Reads a file of the workspace. Text is shown from line \`offset\` on, at most ${MAX_LINES} lines or ` +
    `${MAX_BYTES / 1024} KB at once; the end of the result says how to go on. Pictures (PNG, JPEG, GIF, WebP) ` +
    'are shown as such. A folder is listed.',
  readOnly: true,
  aliases: { file_path: 'path', filePath: 'path' },
  input: z.object({
    path: z.string().describe('Path of the file, relative to the workspace or absolute'),
    offset: z.number().optional().describe('First line to show, counted from 1'),
    limit: z.number().optional().describe('How many lines to show'),
  }),
  async run({ path, offset, limit }, ctx): Promise<ToolResult> {
    const { path: real, facts } = await statToRead(path, ctx);
    ctx.signal.throwIfAborted();
    if (!facts) return errorResult(`${path} does not exist.`);
    if (facts.kind === 'directory')
      return (await isEverybodys(real, ctx))
        ? errorResult(`${path} contains files from all conversations. Give the path of one file.`)
        : listing(path, ctx);
    if (facts.kind !== 'file') return errorResult(`${path} is neither a file nor a folder and cannot be read.`);
    if (facts.size > MAX_PICTURE_BYTES) return tooLarge(path, facts.size, MAX_PICTURE_BYTES);
    const bytes = await readWhole(path, ctx, MAX_PICTURE_BYTES);
    const kind = pictureKind(bytes);
    return kind.startsWith('image/') && kind !== 'image/svg+xml'
      ? picture(path, bytes)
      : text(path, bytes, { offset, limit });
  },
});

function text(
  path: string,
  bytes: Uint8Array,
  wanted: { offset: number | undefined; limit: number | undefined },
): ToolResult {
  if (bytes.length > MAX_FILE_BYTES) return tooLarge(path, bytes.length, MAX_FILE_BYTES);
  const decoded = decodeText(bytes);
  if (!decoded) return errorResult(`${path} is a binary file (${bytes.length} bytes), not text.`);
  const page = pageOf(decoded.text, wanted);
  if (!page.ok) return errorResult(`${path}: ${page.error}`);
  const note = decoded.encoding === 'utf-8' ? '' : `[This file is written in ${decoded.encoding}.]\n`;
  return textResult(note + page.text, {
    path,
    encoding: decoded.encoding,
    bom: decoded.bom,
    lines: page.lines,
    totalLines: page.totalLines,
  });
}

/** What no model takes is made one it takes, or told in words. */
async function picture(path: string, bytes: Uint8Array): Promise<ToolResult> {
  const shown = await pictureForModel(bytes);
  if (!shown.ok)
    return textResult(`[${path}] omitted image payload: ${shown.why}`, { path, kind: shown.kind, bytes: bytes.length });
  const { data, mime, change } = shown;
  const facts = `Picture ${path} (${change ? `${bytes.length} bytes, shown as ${change}` : `${mime}, ${bytes.length} bytes`})`;
  return {
    content: [
      { type: 'text', text: facts },
      { type: 'image', data: Buffer.from(data).toString('base64'), mimeType: mime },
    ],
    details: present({ path, mimeType: mime, bytes: bytes.length, change: change || undefined }),
  };
}

/** Received files of all conversations lie in one folder; from a sandbox only who knows a name gets a file. */
async function isEverybodys(real: string, ctx: ToolContext): Promise<boolean> {
  if (ctx.sandboxed !== true || ctx.mediaFolder === undefined) return false;
  try {
    return real === (await resolvePathToRead(ctx.mediaFolder, ctx));
  } catch (error) {
    if (error instanceof AppError && error.code === 'denied') return false; // it cannot be read here at all
    throw error;
  }
}

const tooLarge = (path: string, size: number, limit: number): ToolResult =>
  errorResult(`${path} is too large to read (${sizeText(size)}; the limit is ${sizeText(limit)}).`);

async function listing(path: string, ctx: ToolContext): Promise<ToolResult> {
  const entries = await listFolder(path, ctx);
  const names = entries
    .slice(0, MAX_ENTRIES)
    .map((entry) => (entry.kind === 'directory' ? `${entry.name}/` : entry.name));
  const more = entries.length > MAX_ENTRIES ? `\n[… and ${entries.length - MAX_ENTRIES} more]` : '';
  return textResult(
    `${path} is a folder with ${entries.length} ` +
      `${entries.length === 1 ? 'entry' : 'entries'}:\n${names.join('\n')}${more}`,
    { path, entries: entries.length },
  );
}
