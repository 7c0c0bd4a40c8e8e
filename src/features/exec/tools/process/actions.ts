/** The actions on a background process, one function each. */
import type { Processes, ProcessTrouble, ToolResult } from '../../../../sdk/index.ts';
import { textResult } from '../../../../sdk/index.ts';
import { keyData } from './key-data.ts';
import { showLog } from './show-log.ts';
import { facts, failure, reportPoll, reportTrouble } from './report-process.ts';

export interface ProcessInput {
  readonly data?: string | undefined;
  readonly eof?: boolean | undefined;
  readonly text?: string | undefined;
  readonly bracketed?: boolean | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly hex?: readonly string[] | undefined;
  readonly literal?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly timeout?: number | undefined;
}

/** One call: on which process, with what. */
export interface ProcessCall {
  readonly id: string;
  readonly input: ProcessInput;
  readonly processes: Processes;
  readonly signal: AbortSignal;
}
type Action = (call: ProcessCall) => Promise<ToolResult>;

const WAIT_MS = { usual: 1_000, max: 30_000 };

/** Every action but `list`, which names no process. */
export const actions: Readonly<Record<string, Action>> = {
  poll,
  log,
  write,
  'send-keys': sendKeys,
  submit,
  paste,
  kill,
  clear,
  remove,
};

async function poll({ id, input: { timeout = WAIT_MS.usual }, processes, signal }: ProcessCall): Promise<ToolResult> {
  const news = await processes.poll(id, { waitMs: Math.min(WAIT_MS.max, Math.max(0, timeout)), signal });
  return typeof news === 'string' ? reportTrouble(news, { id, active: false }) : reportPoll(news);
}

async function log({ id, input: { offset, limit }, processes }: ProcessCall): Promise<ToolResult> {
  const found = await processes.log(id, { offset, limit });
  if (typeof found === 'string') return reportTrouble(found, { id, active: false });
  const { view, output, totalLines, totalChars, firstLine, lines, droppedBytes } = found;
  const text = showLog(found, { offset, limit });
  return textResult(text, {
    ...facts(view),
    output,
    total: totalLines,
    totalLines,
    totalChars,
    firstLine,
    lines,
    droppedBytes,
  });
}

async function write({ id, input: { data = '', eof = false }, processes }: ProcessCall): Promise<ToolResult> {
  return sent(
    await processes.write(id, data, { eof }),
    id,
    (bytes) => `Wrote ${bytes} bytes to session ${id}${eof ? ' and closed its stdin' : ''}.`,
    data === '',
  );
}

async function sendKeys({ id, input, processes }: ProcessCall): Promise<ToolResult> {
  const { data, warnings } = keyData(input);
  if (data.length === 0) return failure(['No key data provided.', ...warnings].join('\n'), id);
  return sent(await processes.write(id, data), id, (bytes) =>
    [`Sent ${bytes} bytes to session ${id}.`, ...warnings].join('\n'),
  );
}

/** Return is what the key sends in a terminal; a program that reads a pipe waits for a line feed. */
async function submit({ id, input: { data = '' }, processes }: ProcessCall): Promise<ToolResult> {
  const pty = (await processes.list()).find(({ sessionId }) => sessionId === id)?.pty ?? true;
  return sent(
    await processes.write(id, data + (pty ? '\r' : '\n')),
    id,
    () => `Submitted session ${id} (${pty ? 'CR' : 'LF, for it has no terminal'} sent).`,
  );
}

const PASTE = { start: '\x1b[200~', end: '\x1b[201~' };

/** Pasted text cannot end the paste: what would is taken out of it. */
async function paste({ id, input: { text, data, bracketed = true }, processes }: ProcessCall): Promise<ToolResult> {
  const input = text ?? data ?? '';
  if (input === '' && !bracketed) return failure('No paste text provided.', id);
  const pasted = bracketed ? PASTE.start + input.replaceAll(PASTE.end, '') + PASTE.end : input;
  return sent(await processes.write(id, pasted), id, () => `Pasted ${input.length} characters to session ${id}.`);
}

/** `nothing`: there was nothing to write. */
function sent(
  written: number | ProcessTrouble,
  id: string,
  notify: (bytes: number) => string,
  nothing = false,
): ToolResult {
  if (written === 0 && !nothing)
    return failure(
      `Session ${id} does not read its input: earlier input is still pending, so nothing was ` +
        'written. Write it again later, or kill it.',
      id,
    );
  return typeof written === 'string'
    ? reportTrouble(written, { id, active: true })
    : textResult(notify(written), { status: 'running', sessionId: id, bytes: written });
}

async function kill({ id, processes }: ProcessCall): Promise<ToolResult> {
  const ended = await processes.kill(id);
  return typeof ended === 'string'
    ? reportTrouble(ended, { id, active: true })
    : textResult(`Killed session ${id}.`, { ...facts(ended), status: 'failed' });
}

async function clear({ id, processes }: ProcessCall): Promise<ToolResult> {
  const done = await processes.clear(id);
  if (done === 'cleared') return textResult(`Cleared session ${id}.`, { status: 'completed', sessionId: id });
  return done === 'unknown'
    ? failure(`No finished session found for ${id}.`, id)
    : reportTrouble(done, { id, active: false });
}

async function remove({ id, processes }: ProcessCall): Promise<ToolResult> {
  const done = await processes.remove(id);
  return done === 'removed'
    ? textResult(`Removed session ${id}.`, { status: 'completed', sessionId: id })
    : reportTrouble(done, { id, active: false });
}
