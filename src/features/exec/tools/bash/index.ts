/** `bash`: runs a command; `ctx.shell` decides where, whether and as whom. */
import { z } from 'zod';
import { defineTool, errorResult, type ToolResult } from '../../../../sdk/index.ts';
import { envInput } from './env-input.ts';
import { runOnNode } from './run-on-node.ts';
import { reportOutcome } from './report-outcome.ts';

const NOTHING = 'Provide a command to start.';

const input = z.object({
  command: z.string({ error: NOTHING }).describe('The command line, as typed into a shell'),
  workdir: z
    .string()
    .optional()
    .describe('Folder to run it in, relative to the workspace or absolute; the workspace when absent'),
  env: envInput.optional().describe('Variables for this command, each as NAME=value'),
  yieldMs: z
    .number()
    .optional()
    .describe('Milliseconds to wait for its end before it goes on in the background (10 to 120000; default 10000)'),
  background: z.boolean().optional().describe('Go on in the background at once'),
  timeout: z
    .number()
    .optional()
    .describe('Seconds after which it is killed, also in the background (default 1800; 0: never)'),
  pty: z.boolean().optional().describe('Give it a terminal, for programs that insist on one'),
  elevated: z.boolean().optional().describe('Run on the host itself, where that is allowed'),
  host: z.string().optional().describe('Where it runs: auto, sandbox, gateway or node; leave it out'),
  security: z.string().optional().describe('Be stricter for this command: deny, allowlist or full'),
  ask: z.string().optional().describe('Ask a person more often for this command: off, on-miss or always'),
  node: z.string().optional().describe('The node to run it on, with host node'),
});

export default defineTool({
  name: 'bash',
  summary: 'Run a shell command',
  does: [
    ['write', 'prompt-file'],
    ['write', 'memory'],
    ['use', 'elevation'],
  ],
  description:
    'Runs a command line and answers with what it wrote, stdout and stderr in order; long output keeps its ' +
    'beginning and end. A command that fails is an error that says how it ended. One that takes longer than ' +
    '`yieldMs` goes on in the background: the answer then names a session for the `process` tool. Start ' +
    'servers and watchers with `background`. A person may have to approve a command first; where that takes ' +
    'longer, you are told later how it came out. Do not try a refused command again in another form.',
  aliases: {
    cmd: 'command',
    script: 'command',
    cwd: 'workdir',
    dir: 'workdir',
    workingDirectory: 'workdir',
    working_directory: 'workdir',
    environment: 'env',
    yield_ms: 'yieldMs',
    run_in_background: 'background',
    runInBackground: 'background',
    timeoutSeconds: 'timeout',
    timeout_seconds: 'timeout',
    timeoutSec: 'timeout',
    tty: 'pty',
  },
  input,
  async run({ timeout, workdir, ...wanted }, ctx): Promise<ToolResult> {
    if (wanted.command.trim() === '') return errorResult(NOTHING);
    if (!ctx.shell) return errorResult('Commands are not available in this conversation.');
    ctx.signal.throwIfAborted();
    const request = { ...wanted, workdir: workdir?.trim() || undefined, timeoutSeconds: timeout };
    const outcome = await ctx.shell.run(request, { signal: ctx.signal, progress: (text) => ctx.progress(text) });
    if (outcome.kind !== 'elsewhere') return reportOutcome(outcome);
    const goesOn = wanted.background === true || wanted.yieldMs !== undefined;
    return runOnNode(outcome.command, { goesOn }, ctx);
  },
});
