/** Describes the status of a process in a few words. Pure. */
import type { ProcessView } from '../gateway/wire.ts';

export type Tone = 'running' | 'good' | 'bad' | 'quiet';

export function stateOf(
  view: Pick<ProcessView, 'status' | 'exitCode' | 'exitSignal' | 'endReason' | 'timeoutSeconds'>,
): { readonly words: string; readonly tone: Tone } {
  if (view.status === 'running') return { words: 'running', tone: 'running' };
  if (view.endReason === 'timeout')
    return {
      words: view.timeoutSeconds === undefined ? 'timed out' : `timed out after ${view.timeoutSeconds} s`,
      tone: 'bad',
    };
  if (view.endReason === 'lost') return { words: 'ended while the gateway was down; exit code unknown', tone: 'quiet' };
  if (view.endReason === 'killed' || view.endReason === 'aborted')
    return { words: view.endReason === 'killed' ? 'killed' : 'stopped', tone: 'quiet' };
  if (view.exitSignal) return { words: `ended by signal ${view.exitSignal}`, tone: 'bad' };
  if (view.exitCode !== undefined)
    return {
      words: view.exitCode === 0 ? 'done' : `exit ${view.exitCode}`,
      tone: view.exitCode === 0 ? 'good' : 'bad',
    };
  return { words: view.status === 'completed' ? 'done' : 'failed', tone: view.status === 'completed' ? 'good' : 'bad' };
}

/** The newest line that is not blank. */
export const lastLine = (tail: string): string => tail.trimEnd().split('\n').at(-1)?.trim() ?? '';

/** Running ones first, each group newest first. */
export const inOrder = (views: readonly ProcessView[]): readonly ProcessView[] =>
  views.toSorted(
    (a, b) => Number(b.status === 'running') - Number(a.status === 'running') || b.startedAt - a.startedAt,
  );
