/** Appends recent messages of a conversation to the text of a reminder, so that its context is clear later. Pure. */
import { cut } from '../../../core/cut.ts';
import { textOf, type Message } from '../../../core/transcript.ts';

export interface ContextLine {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export const MAX_CONTEXT_LINES = 10;
/** Characters. */
const LIMITS = { line: 220, block: 700 };
const HEADING = 'Recent context:';

/** The newest texts of a conversation, oldest first. */
export const linesOf = (messages: readonly Message[], count: number): readonly ContextLine[] =>
  messages
    .flatMap((message): ContextLine[] => {
      const text =
        message.role === 'toolResult' || (message.role === 'user' && message.system)
          ? ''
          : textOf(message.content).trim();
      return text === '' ? [] : [{ role: message.role as ContextLine['role'], text }];
    })
    .slice(-count);

/** A block that is there already is replaced. */
export function withContext(text: string, lines: readonly ContextLine[]): string {
  const bare = withoutBlock(text);
  const block = newestThatFit(
    lines.flatMap(({ role, text: said }) => {
      const line = cut(said.replace(/\s+/g, ' ').trim(), LIMITS.line);
      return line ? [`- ${role === 'user' ? 'User' : 'Assistant'}: ${line}`] : [];
    }),
  );
  return block.length === 0 ? bare : `${bare}\n\n${HEADING}\n${block.join('\n')}`;
}

function withoutBlock(text: string): string {
  const at = text.lastIndexOf(`\n\n${HEADING}`);
  return at < 0 ? text : text.slice(0, at);
}

function newestThatFit(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.toReversed()) {
    length += line.length + 1;
    if (length > LIMITS.block) break;
    kept.unshift(line);
  }
  return kept;
}
