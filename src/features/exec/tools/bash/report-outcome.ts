/** Formats the outcome of a command for the model, with details for the UI. Pure. */
import type { ProcessView, ShellOutcome } from '../../../../sdk/index.ts';
import { errorResult, textResult, type ToolResult, present } from '../../../../sdk/index.ts';

/** How a command of this machine came out. */
export function reportOutcome(outcome: Exclude<ShellOutcome, { kind: 'elsewhere' }>): ToolResult {
  switch (outcome.kind) {
    case 'refused':
      return errorResult(outcome.message, {
        status: outcome.code === 'aborted' ? 'aborted' : 'refused',
        code: outcome.code,
      });
    case 'waiting':
      return reportWaiting(outcome);
    case 'running':
      return reportRunning(outcome);
    case 'ended':
      return reportEnded(outcome);
  }
}

function reportRunning({ view, warnings }: Extract<ShellOutcome, { kind: 'running' }>): ToolResult {
  const { sessionId, pid, startedAt, cwd, host, pty, tail } = view;
  const text =
    `Command still running (session ${sessionId}${pid === undefined ? '' : `, pid ${pid}`}). Use \`process\` ` +
    'with this sessionId to poll, log, write to or kill it.';
  return textResult(paragraphs(warnings.join('\n'), text), {
    status: 'running',
    sessionId,
    pid,
    startedAt,
    cwd,
    host,
    pty,
    tail,
  });
}

function reportWaiting({
  request: { id, slug, host, command, cwd, expiresAt },
}: Extract<ShellOutcome, { kind: 'waiting' }>): ToolResult {
  const text =
    `Approval ${slug} is pending: a person was asked and has not answered yet. Nothing ran so far. It runs in ` +
    'the background once it is allowed, and you are told how it came out. Go on with what does not need it, or ' +
    'end your turn saying what you wait for; do not run it again.';
  return textResult(text, {
    status: 'approval-pending',
    approvalId: id,
    approvalSlug: slug,
    expiresAtMs: expiresAt,
    host,
    command,
    cwd,
  });
}

/**
 * Warnings, then what it wrote, then our remarks. The remarks always come last, so nothing a command writes can stand
 * in their
 * place; when its last line reads like one of them, how it ended is said in any case.
 */
function reportEnded({ view, output, cut, kept, warnings }: Extract<ShellOutcome, { kind: 'ended' }>): ToolResult {
  const written = output.replace(/^\n+/, '').trimEnd();
  const failed = view.status === 'failed';
  const remarks = [
    cut > 0
      ? `${cut} characters in the middle of the output are left out ` +
        `above.${kept ? ` All of it is in the log of session ${view.sessionId}: \`process\` shows it by lines.` : ''}`
      : '',
    view.leftBehind?.length
      ? 'It left processes behind: ' +
        `${view.leftBehind.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ')}. They are session ` +
        `${view.sessionId} of \`process\`.`
      : '',
    failed || REMARK.test(written.slice(written.lastIndexOf('\n') + 1)) ? howItEnded(view) : '',
  ].filter(Boolean);
  const text = paragraphs(warnings.join('\n'), written || '(no output)', remarks.join('\n'));
  const {
    exitCode,
    exitSignal,
    endReason,
    runtimeMs,
    cwd,
    host,
    pty,
    pid,
    startedAt,
    outputBytes,
    truncated,
    leftBehind,
  } = view;
  const details = {
    status: view.status,
    exitCode,
    exitSignal,
    endReason,
    durationMs: runtimeMs,
    aggregated: output,
    cut,
    cwd,
    host,
    pty,
    pid,
    startedAt,
    outputBytes,
    truncated,
    leftBehind,
    ...present({ sessionId: leftBehind?.length || kept ? view.sessionId : undefined }),
  };
  return failed ? errorResult(text, details) : textResult(text, details);
}

/** A last line that could be taken for ours. */
const REMARK =
  /^\s*(?:exited with code|aborted (?:by signal|before)|timed out after|ended without|Command still running|It left processes|\d+ characters in the middle)/i;

function howItEnded({ endReason, exitCode, exitSignal, timeoutSeconds, runtimeMs }: ProcessView): string {
  if (endReason === 'timeout') return `timed out after ${timeoutSeconds ?? Math.round(runtimeMs / 1000)} seconds`;
  if (exitSignal !== undefined) return `aborted by signal ${exitSignal}`;
  if (exitCode !== undefined) return `exited with code ${exitCode}`;
  return endReason === 'lost' ? 'ended without leaving an exit code' : 'aborted before exit code was captured';
}

const paragraphs = (...parts: readonly string[]): string => parts.filter(Boolean).join('\n\n');
