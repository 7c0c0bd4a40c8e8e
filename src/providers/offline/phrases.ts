/** The grammar of the concierge: one row per phrase. A new ability is a new row. */
import type { SeenResult } from './view.ts';

export interface Phrase {
  /** As a person types it; shown by `help`. */
  readonly usage: string;
  readonly does: string;
  readonly pattern: RegExp;
  readonly tool: string;
  input(match: RegExpExecArray): Readonly<Record<string, unknown>>;
  /** Puts the tool's result into words. */
  tell(result: SeenResult): string;
}

export const phrases: readonly Phrase[] = [
  {
    usage: 'status', does: 'shows this conversation: model, tokens, age', pattern: /^status[.!?]?$/i, tool: 'session_status',
    input: () => ({}),
    tell: ({ text }) => quote(text),
  },
  {
    usage: 'read <file>', does: 'shows a file of the workspace', pattern: /^read\s+(?!and\b|https?:\/\/)(\S.*)$/i, tool: 'read',
    input: ([, file = '']) => ({ path: unquoted(file) }),
    tell: ({ input, text, images }) => (images > 0 ? `\`${inert(String(input['path']))}\` is a picture; I cannot see, but a real model could.` : `This is \`${inert(String(input['path']))}\`:\n\n${quote(text)}`),
  },
  {
    usage: 'write <file>: <text>', does: 'writes a file into the workspace', pattern: /^write\s+([^\n]+?)\s*:(?:\s|$)([\s\S]*)$/i, tool: 'write',
    input: ([, file = '', text = '']) => ({ path: unquoted(file), content: text }),
    tell: ({ text }) => inert(text),
  },
];

const unquoted = (text: string): string => text.trim().replace(/^(["'`])(.*)\1$/, '$2');

/** A fence longer than any inside, so that what is quoted cannot end it. */
export function quote(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${inert(text.replace(/\n+$/, ''))}\n${fence}`;
}

/** What comes from files and people must not act as a directive of ours: a character of no width breaks the spelling. */
export const inert = (text: string): string => text.replaceAll('[[', '[\u200b[').replace(/^(\s*)(MEDIA):/gim, '$1$2\u200b:').replaceAll('NO_REPLY', 'NO\u200b_REPLY').replaceAll('HEARTBEAT_OK', 'HEARTBEAT\u200b_OK');
