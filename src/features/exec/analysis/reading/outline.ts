/** The outline of a command that is not proven: every program named in it, also in loops and substitutions. */
import { forEachChild, type Command, type ParsedScript, type SyntaxNode } from 'unbash';
import type { ApprovalStep } from '../../../../core/approval.ts';
import { present } from '../../../../core/present.ts';
import { readWord } from './read-word.ts';

const MAX_STEPS = 50;
const MAX_NODES = 5000;

/** In the order of the text. `source`: what the positions of `script` point into. */
export function outline(script: ParsedScript, source: string): readonly ApprovalStep[] {
  const steps: ApprovalStep[] = [];
  let visited = 0;
  const visit = (node: SyntaxNode, text: string): void => {
    if (steps.length >= MAX_STEPS || ++visited > MAX_NODES) return;
    if (node.type === 'Command' && (node.name !== undefined || node.prefix.length > 0)) steps.push(stepOf(node, text));
    // A script inside escaped backticks counts its positions in a text of its own.
    const inner = node.type === 'Script' && node.source !== undefined ? node.source : text;
    forEachChild(node, (child) => visit(child, inner));
  };
  visit(script, source);
  return steps;
}

function stepOf({ name, prefix, args }: Command, source: string): ApprovalStep {
  const reasons: string[] = prefix
    .filter(({ type }) => type === 'Assignment')
    .map(({ pos, end }) => `${source.slice(pos, end)} sets a variable first.`);
  const words = [...(name ? [name] : []), ...args].map((word) => {
    const reading = word.type === 'Assignment' ? { text: word.text } : readWord(word, source);
    if ('text' in reading) return reading.text;
    reasons.push(reading.why);
    return undefined;
  });
  return present({ words, why: reasons.length > 0 ? reasons.join(' ') : undefined });
}
