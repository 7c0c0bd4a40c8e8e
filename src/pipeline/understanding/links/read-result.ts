/** What a command's end means for its link: text, nothing, or a failure in words. Pure. */
import type { ExecResult } from '../../../platform/exec.ts';
import { lastLine } from '../last-line.ts';
import { decodeOutput } from './decode-output.ts';

export type Reading =
  | { readonly outcome: 'success'; readonly text: string }
  | { readonly outcome: 'skipped' | 'failed'; readonly reason: string };

/** Bytes a command may print. */
export const MAX_OUTPUT = 5 * 1024 * 1024;

export function readResult(result: ExecResult, timeoutMs: number): Reading {
  switch (result.kind) {
    case 'exited':
      return result.code === 0
        ? readOutput(result.stdout)
        : failed(`exit code ${result.code}${lastLine(result.stderr)}`);
    case 'signalled':
      return failed(`ended by ${result.signalName}${lastLine(result.stderr)}`);
    case 'timeout':
      return failed(`timeout: not finished after ${timeoutMs / 1000} s`);
    case 'too_much_output':
      return failed(`maxBytes: it printed more than ${MAX_OUTPUT / 1024 / 1024} MiB`);
    case 'aborted':
      return { outcome: 'skipped', reason: 'budget: the time limit for links was reached' };
    case 'not_started':
      return failed(result.reason);
  }
}

function readOutput(stdout: Buffer): Reading {
  const text = decodeOutput(stdout)?.trim();
  if (text === undefined) return failed('binary output');
  return text === '' ? { outcome: 'skipped', reason: 'empty output' } : { outcome: 'success', text };
}

const failed = (reason: string): Reading => ({ outcome: 'failed', reason });
