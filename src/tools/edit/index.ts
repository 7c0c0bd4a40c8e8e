/** `edit`: replaces one passage of a text file and leaves every other byte as it is. */
import { z } from 'zod';
import { defineTool, errorResult, textResult, type ToolResult } from '../../sdk/index.ts';
import { decodeText, encodeText, readBytesIfExists, resolveInside, statIfExists, writeFileAtomic } from '../../sdk/files.ts';
import { hunk } from './hunk.ts';
import { replaceOnce } from './replace-once.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

export default defineTool({
  name: 'edit',
  summary: 'Replace one passage of a file',
  description: 'Replaces `oldText`, which must occur exactly once in the file, by `newText` (empty to delete it). Copy `oldText` from what `read` showed, with enough lines around it to be unique. Line endings and encoding of the file are kept.',
  aliases: { file_path: 'path', filePath: 'path', old_string: 'oldText', new_string: 'newText', old_text: 'oldText', new_text: 'newText', oldString: 'oldText', newString: 'newText' },
  input: z.object({
    path: z.string().describe('Path of the file, relative to the workspace or absolute'),
    oldText: z.string().describe('The passage to replace, exactly as in the file'),
    newText: z.string().describe('What stands there afterwards; may be empty'),
  }),
  async run({ path, oldText, newText }, ctx): Promise<ToolResult> {
    const real = await resolveInside(path, [ctx.workspace]);
    const facts = await statIfExists(real);
    if (!facts) return errorResult(`${path} does not exist. Use \`write\` to create it.`);
    if (facts.kind !== 'file') return errorResult(`${path} is not a file.`);
    if (facts.size > MAX_FILE_BYTES) return errorResult(`${path} is too large to edit (${facts.size} bytes).`);
    const bytes = await readBytesIfExists(real);
    const decoded = bytes && decodeText(bytes);
    if (!decoded) return errorResult(`${path} is a binary file, not text.`);
    if (!encodeText(decoded)?.equals(bytes)) return errorResult(`${path} is not clean UTF-8 or UTF-16 text; editing it would damage it. Convert it first.`);
    const edited = replaceOnce(decoded.text, oldText, newText);
    if (!edited.ok) return errorResult(`${path}: ${edited.error}`);
    ctx.signal.throwIfAborted();
    await writeFileAtomic(real, encodeText({ ...decoded, text: edited.text })!, { mode: facts.mode });
    const change = hunk(decoded.text, edited);
    const how = edited.loose ? ' The passage was found by ignoring differences in spaces at line ends, quotes or dashes.' : '';
    return textResult(`Edited ${path} at line ${change.firstLine}.${how}`, { path, diff: change.diff, firstChangedLine: change.firstLine, loose: edited.loose });
  },
});
