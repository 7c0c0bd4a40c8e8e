/** One line per tool call, for people who enabled `/verbose on`. Pure. */
import { excerpt } from '../../core/cut.ts';
import type { ToolResultMessage } from '../../core/transcript.ts';

const MAX_CHARS = 160;
/** What says most about a call, in this order. */
const TELLING = ['command', 'path', 'file_path', 'url', 'query', 'pattern', 'action', 'name', 'to'];

/** `🔧 read: notes.md` */
export function toolSummary(tool: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const key = TELLING.find((name) => typeof values[name] === 'string' && values[name] !== '');
  const said = key === undefined ? '' : String(values[key]).replace(/\s+/g, ' ').replaceAll('`', "'").trim();
  const detail = excerpt(said, MAX_CHARS);
  return `🔧 ${tool}${detail === '' ? '' : `: \`${detail}\``}`;
}

const MAX_RESULT = 400;

/** `✓ read` or `✗ read` with the beginning of what came of it (`/verbose full`). */
export function toolOutcome(
  tool: string,
  { content, isError }: Pick<ToolResultMessage, 'content' | 'isError'>,
): string {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const shown = excerpt(text.trim(), MAX_RESULT);
  return [
    `${isError ? '✗' : '✓'} ${tool}`,
    ...(shown === '' ? [] : ['```', shown.replaceAll('```', '` ` `'), '```']),
  ].join('\n');
}
