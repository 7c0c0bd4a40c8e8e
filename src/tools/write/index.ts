/** `write`: puts a whole file into the workspace, new or in place of the old one. */
import { z } from 'zod';
import { defineTool, errorResult, textResult } from '../../sdk/index.ts';
import { statToWrite, replaceFiles } from '../../sdk/files.ts';

export default defineTool({
  name: 'write',
  summary: 'Create or overwrite a file',
  does: [
    ['write', 'prompt-file'],
    ['write', 'memory'],
  ],
  description:
    'Writes a whole file into the workspace as UTF-8, replacing what was there. Missing folders are created. ' +
    'To change a part of a file use `edit`.',
  aliases: { file_path: 'path', filePath: 'path', text: 'content', contents: 'content' },
  input: z.object({
    path: z.string().describe('Path of the file, relative to the workspace or absolute'),
    content: z.string().describe('Everything the file shall contain'),
  }),
  available: ({ sandbox }) => sandbox?.workspaceAccess !== 'ro',
  async run({ path, content }, ctx) {
    const { path: real, facts: before } = await statToWrite(path, ctx);
    if (before && before.kind !== 'file')
      return errorResult(
        `${path} is ${before.kind === 'directory' ? 'a folder' : 'not a regular file'}; nothing was written.`,
      );
    if (/[/\\]$/.test(path)) return errorResult(`${path} is a folder; add the file name.`);
    ctx.signal.throwIfAborted();
    await replaceFiles([{ path: real, shown: path, data: Buffer.from(content), before }]);
    const bytes = Buffer.byteLength(content);
    return textResult(`${before ? 'Replaced' : 'Created'} ${path} (${bytes} bytes).`, {
      path,
      bytes,
      created: !before,
    });
  },
});
