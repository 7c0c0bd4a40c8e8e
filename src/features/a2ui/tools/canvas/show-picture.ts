/** Returns a picture of a canvas to the model, and stores it in the workspace so that it can be sent. */
import { errorResult, type ToolContext, type ToolResult } from '../../../../sdk/index.ts';
import { replaceFiles, statToWrite } from '../../../../sdk/files.ts';
import { pictureForModel, pictureKind } from '../../../../sdk/pictures.ts';
import { INVALID_PICTURE, type Picture } from './own-canvas.ts';

const MAX_BASE64_CHARS = 32 * 1024 * 1024;

export async function showPicture({ format, base64 }: Picture, ctx: ToolContext): Promise<ToolResult> {
  if (base64.length > MAX_BASE64_CHARS) return errorResult('The snapshot is too large; set maxWidth.');
  const bytes = Buffer.from(base64, 'base64');
  if (!pictureKind(bytes).startsWith('image/')) return errorResult(INVALID_PICTURE);
  const mime = format === 'png' ? 'image/png' : 'image/jpeg';
  const name = `media/canvas/canvas-snapshot-${globalThis.crypto.randomUUID()}.${format === 'png' ? 'png' : 'jpg'}`;
  const { path, facts: before } = await statToWrite(name, ctx);
  await replaceFiles([{ path, shown: name, data: bytes, before }]);
  const shown = await pictureForModel(bytes);
  const said = { type: 'text', text: `Snapshot of the canvas: ${name}` } as const;
  const details = { path, mimeType: mime, bytes: bytes.length };
  const media = [{ from: 'file', path, mime }] as const;
  if (!shown.ok)
    return {
      content: [{ type: 'text', text: `${said.text}\n[canvas] omitted image payload: ${shown.why}` }],
      details,
      media,
    };
  const image = { type: 'image', data: Buffer.from(shown.data).toString('base64'), mimeType: shown.mime } as const;
  return { content: [said, image], details, media };
}
