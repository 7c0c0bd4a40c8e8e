/** Formats processes, new output and errors for the model, with details for the UI. Pure. */
import type { ProcessTrouble, ProcessView } from '../../../../sdk/index.ts';
import { errorResult, textResult, type ToolResult, present } from '../../../../sdk/index.ts';
import { duration } from './duration.ts';

/** Silent for this long with its input open, it probably waits for an answer. */
const WAITING_MS = 15_000;

export function reportList(views: readonly ProcessView[]): ToolResult {
  const details = { status: 'completed', sessions: views.map(facts) };
  if (views.length === 0) return textResult('No running or recent sessions.', details);
  return textResult(
    views
      .map((view) => `${view.sessionId} ${view.status.padEnd(9)} ${duration(view.runtimeMs)} :: ${view.name}`)
      .join('\n'),
    details,
  );
}

/** New output first, then how it stands; that it failed makes this an error, as with a command in the foreground. */
export function reportPoll({
  view,
  output,
  cut,
}: {
  readonly view: ProcessView;
  readonly output: string;
  readonly cut: number;
}): ToolResult {
  const remarks = [cut > 0 ? `${cut} characters of it are left out; \`log\` shows them.` : '', howItStands(view)]
    .filter(Boolean)
    .join('\n');
  const text = `${output.trimEnd() || '(no new output)'}\n\n${remarks}`;
  const details = { ...facts(view), aggregated: output, cut };
  return view.status === 'failed' ? errorResult(text, details) : textResult(text, details);
}

export const facts = (view: ProcessView) => ({
  status: view.status,
  sessionId: view.sessionId,
  pid: view.pid,
  startedAt: view.startedAt,
  endedAt: view.endedAt,
  runtimeMs: view.runtimeMs,
  cwd: view.cwd,
  host: view.host,
  pty: view.pty,
  command: view.command,
  name: view.name,
  tail: view.tail,
  truncated: view.truncated,
  exitCode: view.exitCode,
  exitSignal: view.exitSignal,
  exitReason: view.endReason,
  timedOut: view.endReason === 'timeout',
  stdinWritable: view.stdinWritable,
  waitingForInput: waits(view),
  idleMs: view.idleMs,
  leftBehind: view.leftBehind,
});

const waits = ({ status, stdinWritable, idleMs }: ProcessView): boolean =>
  status === 'running' && stdinWritable && idleMs >= WAITING_MS;

function howItStands(view: ProcessView): string {
  if (view.status === 'running')
    return (
      'Process still ' +
      `running.${waits(view) ? ` It has been silent for ${duration(view.idleMs)} and may be waiting for input.` : ''}`
    );
  const left = view.leftBehind?.length
    ? ` It left processes behind: ${view.leftBehind.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ')}.`
    : '';
  return `${howItEnded(view)}${left}`;
}

function howItEnded({ endReason, exitCode, exitSignal, timeoutSeconds, runtimeMs }: ProcessView): string {
  const how =
    exitSignal !== undefined ? `signal ${exitSignal}` : exitCode !== undefined ? `code ${exitCode}` : undefined;
  if (endReason === 'timeout')
    return (
      `Process timed out after ${timeoutSeconds ?? Math.round(runtimeMs / 1000)} ` +
      `seconds${how ? ` and exited with ${how}` : ''}.`
    );
  return how
    ? `Process exited with ${how}.`
    : 'Process ended while the gateway was not running; its exit status is unknown.';
}

/** `active`: the action needs one that runs. */
export function reportTrouble(
  trouble: ProcessTrouble,
  { id, active }: { readonly id: string; readonly active: boolean },
): ToolResult {
  switch (trouble) {
    case 'unknown':
    case 'ended':
      return failure(active ? `No active session found for ${id}.` : `No session found for ${id}.`, id);
    case 'running':
      return failure(`No finished session found for ${id}: it is still running. Use kill or remove.`, id);
    case 'foreground':
      return failure(`Session ${id} is not backgrounded.`, id);
    case 'closed':
      return failure(`Session ${id} stdin is not writable.`, id);
  }
}

/** Returned, not thrown: the model can do better. */
export const failure = (text: string, sessionId?: string): ToolResult =>
  errorResult(text, present({ status: 'failed', error: text, sessionId }));
