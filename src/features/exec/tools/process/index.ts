/** `process`: manages commands that `bash` left running in the background. */
import { z } from 'zod';
import { defineTool, type ToolResult } from '../../../../sdk/index.ts';
import { actions } from './actions.ts';
import { failure, reportList } from './report-process.ts';

const ACTIONS = ['list', ...Object.keys(actions)] as const;

const input = z.object({
  // Any text is taken, so that a wrong action is answered as every other trouble with a process is.
  action: z
    .string({ error: `say what to do: ${ACTIONS.join(', ')}` })
    .meta({ enum: ACTIONS })
    .describe('What to do'),
  sessionId: z.string().optional().describe('The session that bash or list named; for every action but list'),
  data: z.string().optional().describe('write: text for its stdin, with the line break it needs'),
  eof: z.boolean().optional().describe('write: close its stdin behind the data'),
  keys: z.array(z.string()).optional().describe('send-keys: keys such as Enter, Up, C-c, M-x, S-Tab, F5'),
  hex: z.array(z.string()).optional().describe('send-keys: bytes in hex, e.g. 1b'),
  literal: z.string().optional().describe('send-keys: text sent as it stands'),
  text: z.string().optional().describe('paste: the text'),
  bracketed: z.boolean().optional().describe('paste: mark it as pasted (default true)'),
  offset: z.number().optional().describe('log: first line, counted from 0'),
  limit: z.number().optional().describe('log: how many lines; without offset the last ones (default 200)'),
  timeout: z.number().optional().describe('poll: milliseconds to wait for news (default 1000, at most 30000)'),
});

export default defineTool({
  name: 'process',
  tendsProcesses: true,
  summary: 'Look after commands in the background',
  does: [['change', 'process']],
  description:
    'Manages commands that bash left running. list: all of them. poll: what is new since the last poll, and ' +
    'how it ended. log: a window of all its output. write: text to its stdin. send-keys, submit (Return), ' +
    'paste: for programs in a terminal. kill: ends it with everything it started. clear: forgets an ended ' +
    'one. remove: ends and forgets it.',
  aliases: { session_id: 'sessionId', session: 'sessionId', id: 'sessionId', timeoutMs: 'timeout' },
  input,
  async run({ action: written, sessionId, ...input }, ctx): Promise<ToolResult> {
    if (!ctx.shell) return failure('Commands are not available in this conversation.');
    ctx.signal.throwIfAborted();
    const name = written.trim().toLowerCase().replaceAll('_', '-');
    const { processes } = ctx.shell;
    if (name === 'list') return reportList(await processes.list());
    if (!Object.hasOwn(actions, name)) return failure(`Unknown action ${written}. Use one of ${ACTIONS.join(', ')}.`);
    const id = sessionId?.trim();
    if (!id) return failure('sessionId is required for this action.');
    return actions[name]!({ id, input, processes, signal: ctx.signal });
  },
});
