/** `read`: shows the model a text file, a picture, or what is in a folder. */
import { z } from 'zod';
import { defineTool, errorResult, textResult, type ToolResult } from '../../sdk/index.ts';
import { decodeText, listDir, readBytesIfExists, resolveInside, statIfExists } from '../../sdk/files.ts';
import { imageMime } from './image-mime.ts';
import { MAX_BYTES, MAX_LINES, pageOf } from './page.ts';

/** Larger files are not loaded: decoding them would hold up everybody else. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 500;

export default defineTool({
  name: 'read',
  summary: 'Read a text file or a picture, or list a folder',
  description: `Reads a file of the workspace. Text is shown from line \`offset\` on, at most ${MAX_LINES} lines or ${MAX_BYTES / 1024} KB at once; the end of the result says how to go on. Pictures (PNG, JPEG, GIF, WebP) are shown as such. A folder is listed.`,
  readOnly: true,
  aliases: { file_path: 'path', filePath: 'path' },
  input: z.object({
    path: z.string().describe('Path of the file, relative to the workspace or absolute'),
    offset: z.number().optional().describe('First line to show, counted from 1'),
    limit: z.number().optional().describe('How many lines to show'),
  }),
  async run({ path, offset, limit }, ctx): Promise<ToolResult> {
    const real = await resolveInside(path, [ctx.workspace, ...(ctx.readableRoots ?? [])]);
    ctx.signal.throwIfAborted();
    const facts = await statIfExists(real);
    if (!facts) return errorResult(`${path} does not exist.`);
    if (facts.kind === 'directory') return listing(path, real);
    if (facts.kind !== 'file') return errorResult(`${path} is neither a file nor a folder and cannot be read.`);
    if (facts.size > MAX_FILE_BYTES) return errorResult(`${path} is too large to read (${megabytes(facts.size)}; the limit is ${megabytes(MAX_FILE_BYTES)}).`);
    const bytes = await readBytesIfExists(real);
    return bytes ? shown(path, bytes, { offset, limit }) : errorResult(`${path} does not exist.`);
  },
});

function shown(path: string, bytes: Uint8Array, wanted: { offset: number | undefined; limit: number | undefined }): ToolResult {
  const mime = imageMime(bytes);
  if (mime) return picture(path, bytes, mime);
  const decoded = decodeText(bytes);
  if (!decoded) return errorResult(`${path} is a binary file (${bytes.length} bytes), not text.`);
  const page = pageOf(decoded.text, wanted);
  if (!page.ok) return errorResult(`${path}: ${page.error}`);
  const note = decoded.encoding === 'utf-8' ? '' : `[This file is written in ${decoded.encoding}.]\n`;
  return textResult(note + page.text, { path, encoding: decoded.encoding, bom: decoded.bom, lines: page.lines, totalLines: page.totalLines });
}

function picture(path: string, bytes: Uint8Array, mimeType: string): ToolResult {
  const text = `Picture ${path} (${mimeType}, ${bytes.length} bytes)`;
  return { content: [{ type: 'text', text }, { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType }], details: { path, mimeType, bytes: bytes.length } };
}

async function listing(path: string, real: string): Promise<ToolResult> {
  const entries = await listDir(real);
  const names = entries.slice(0, MAX_ENTRIES).map((entry) => (entry.kind === 'directory' ? `${entry.name}/` : entry.name));
  const more = entries.length > MAX_ENTRIES ? `\n[… and ${entries.length - MAX_ENTRIES} more]` : '';
  return textResult(`${path} is a folder with ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}:\n${names.join('\n')}${more}`, { path, entries: entries.length });
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
