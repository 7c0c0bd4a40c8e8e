/** `apply_patch`: changes several files at once, all of them or none. */
import { z } from 'zod';
import { defineTool, errorResult, textResult, type ToolResult } from '../../sdk/index.ts';
import { replaceFiles } from '../../sdk/files.ts';
import { offeredTo } from './offered-to.ts';
import { PatchProblem } from './patch.ts';
import { planPatch, type PatchPlan } from './plan-patch.ts';
import { readPatch } from './read-patch.ts';

/** Characters; reading more at once would hold up everybody else. */
const MAX_INPUT = 1024 * 1024;

const DESCRIPTION = `Adds, changes, moves and deletes several files in one step: all of it happens or nothing. The patch looks like this:
*** Begin Patch
*** Add File: new.txt
+every line of the file
*** Update File: src/a.py
*** Move to: src/b.py
@@ class A
@@ def run(self):
 unchanged line
-old line
+new line
*** Delete File: gone.txt
*** End Patch
\`*** Move to\` is optional. Begin each hunk with \`@@\`; give about three unchanged lines around a change. Where they occur more than once, name the class or function above behind \`@@\`. \`*** End of File\` ends a hunk at the end of the file.`;

export default defineTool({
  name: 'apply_patch',
  alone: true,
  summary: 'Change several files at once with a patch',
  does: [
    ['write', 'prompt-file'],
    ['write', 'memory'],
  ],
  description: DESCRIPTION,
  aliases: { patch: 'input' },
  input: z.object({ input: z.string().describe('The patch, from `*** Begin Patch` to `*** End Patch`') }),
  available: ({ model, config, sandbox }) => sandbox?.workspaceAccess !== 'ro' && offeredTo(model, config),
  async run({ input }, ctx): Promise<ToolResult> {
    if (input.length > MAX_INPUT)
      return errorResult(
        `The patch has ${input.length} characters; at most ${MAX_INPUT} are read. Nothing was changed.`,
      );
    try {
      const plan = await planPatch(readPatch(input), ctx);
      ctx.signal.throwIfAborted();
      await replaceFiles(plan.changes);
      return report(plan);
    } catch (error) {
      if (error instanceof PatchProblem) return errorResult(`${error.message}\nNothing was changed.`);
      throw error;
    }
  },
});

function report({ files }: PatchPlan): ToolResult {
  const loose = files.filter((file) => file.loose).map((file) => file.path);
  const note =
    loose.length > 0
      ? `\nPlaces in ${loose.join(', ')} were found by ignoring differences in spaces at line ends, quotes or dashes.`
      : '';
  return textResult(
    `Success. Updated the following files:\n${files.map(({ status, path }) => `${status} ${path}`).join('\n')}${note}`,
    { files },
  );
}
