/** Formats answers of the control service for terminals; text of pages cannot control the terminal. Pure. */
import { listing } from '../../../cli/columns.ts';
import { visibleLine } from '../../../core/visible-text.ts';

type Values = Readonly<Record<string, unknown>>;

export function answerText(name: string, answer: Values): string {
  const notices = textsOf(answer['notices']).map((notice) => `note: ${visibleLine(notice)}`);
  return [...notices, bodyOf(name, answer)].join('\n');
}

function bodyOf(name: string, answer: Values): string {
  if (name === 'tabs')
    return listing(['tab', 'title', 'address'], rows(answer['tabs'], ['targetId', 'title', 'url']), 'No open tabs.');
  if (name === 'profiles')
    return listing(
      ['profile', 'port', 'running', 'tabs', 'colour'],
      rows(answer['profiles'], ['name', 'cdpPort', 'running', 'tabCount', 'color']),
      'No profiles.',
    );
  if (name === 'console') return linesOf(answer['messages'], ['type', 'text']);
  if (name === 'errors') return linesOf(answer['errors'], ['name', 'message']);
  if (name === 'requests') return linesOf(answer['requests'], ['method', 'status', 'url']);
  if (typeof answer['snapshot'] === 'string') return answer['snapshot'].split('\n').map(visibleLine).join('\n');
  if (typeof answer['path'] === 'string') return visibleLine(answer['path']);
  if ('result' in answer) return visibleLine(JSON.stringify(answer['result']) ?? 'undefined');
  const { ok: _ok, notices: _notices, ...rest } = answer;
  const facts = Object.entries(rest).map(
    ([key, value]) => `${key}: ${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return facts.join('\n') || 'Done.';
}

const listOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? (value as readonly Values[]) : []);
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const rows = (value: unknown, fields: readonly string[]): readonly (readonly string[])[] =>
  listOf(value).map((one) => fields.map((field) => visibleLine(String(one[field] ?? ''))));
const linesOf = (value: unknown, fields: readonly string[]): string =>
  rows(value, fields)
    .map((row) => row.filter(Boolean).join('  '))
    .join('\n') || 'Nothing.';
