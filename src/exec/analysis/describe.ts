/** Shows an analysis to a person: one line for each program, then what could not be proven. */
import type { ApprovalStep } from '../../core/approval.ts';
import type { Analysis, Segment } from './analysis.ts';
import { visible } from './reading/command-text.ts';

/** Words with anything but plain letters are shown in quotes; `…` stands where only running it would tell. */
export function describe(analysis: Analysis): readonly string[] {
  if (!analysis.proven) return [...analysis.steps.map(describeStep), ...analysis.why.map((reason) => `not proven: ${reason}`)];
  return analysis.segments.map((segment) => `${[...segment.wrappers.flatMap(({ argv }) => argv), ...segment.argv].map(show).join(' ')} — ${means(segment)}`);
}

function means({ builtin, path, harmless, interpreter, why }: Segment): string {
  const what = builtin ? 'the shell itself' : (path ?? 'unknown');
  if (harmless) return `${what}, only reads and prints`;
  return `${what}${interpreter ? ', runs code it is given' : ''}${why === undefined ? '' : `: ${why}`}`;
}

function describeStep({ words, path, why }: ApprovalStep): string {
  return `${words.map((word) => (word === undefined ? '…' : show(word))).join(' ')}${path === undefined ? '' : ` — ${path}`}${why === undefined ? '' : `: ${why}`}`;
}

const show = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `"${visible(word)}"`);
