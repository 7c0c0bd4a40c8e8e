/** `edit`: replaces one passage of a text file and leaves every other byte as it is. */
import { z } from 'zod';
import { defineTool, errorResult, textResult, type ToolResult } from '../../sdk/index.ts';
import { loadEditable, replaceFiles } from '../../sdk/files.ts';
import { hunk } from './hunk.ts';
import { replaceOnce } from './replace-once.ts';

export default defineTool({
  name: 'edit',
  summary: 'Replace one passage of a file',
  does: [
    ['write', 'prompt-file'],
    ['write', 'memory'],
  ],
  description:
    'Replaces `oldText`, which must occur exactly once in the file, by `newText` (empty to delete it). Copy ' +
    '`oldText` from what `read` showed, with enough lines around it to be unique. Line endings and encoding ' +
    'of the file are kept.',
  aliases: {
    file_path: 'path',
    filePath: 'path',
    old_string: 'oldText',
    new_string: 'newText',
    old_text: 'oldText',
    new_text: 'newText',
    oldString: 'oldText',
    newString: 'newText',
  },
  input: z.object({
    path: z.string().describe('Path of the file, relative to the workspace or absolute'),
    oldText: z.string().describe('The passage to replace, exactly as in the file'),
    newText: z.string().describe('What stands there afterwards; may be empty'),
  }),
  available: ({ sandbox }) => sandbox?.workspaceAccess !== 'ro',
  async run({ path, oldText, newText }, ctx): Promise<ToolResult> {
    const file = await loadEditable(path, ctx);
    if (!file.ok) return errorResult(file.error);
    const edited = replaceOnce(file.text, oldText, newText);
    if (!edited.ok) return errorResult(`${path}: ${edited.error}`);
    ctx.signal.throwIfAborted();
    await replaceFiles([{ path: file.path, shown: path, data: file.encode(edited.text), before: file.facts }]);
    const change = hunk(file.text, edited);
    const how = edited.loose
      ? ' The passage was found by ignoring differences in spaces at line ends, quotes or dashes.'
      : '';
    return textResult(`Edited ${path} at line ${change.firstLine}.${how}`, {
      path,
      diff: change.diff,
      firstChangedLine: change.firstLine,
      loose: edited.loose,
    });
  },
});
