/** What `chat` does itself instead of sending it: the sessions there are, another one, what was said before. */
import { present } from '../core/present.ts';
import { textOf, type Message } from '../core/transcript.ts';
import type { Answers } from '../protocol/answers.ts';
import type { CliIo } from './command.ts';
import { ago } from './durations.ts';
import type { GatewayLink } from './gateway-link.ts';
import { terminalLine, terminalText } from './terminal-text.ts';

const ROWS = 20;
const MESSAGES = 20;

export interface ChatPlace {
  readonly link: GatewayLink;
  readonly io: Pick<CliIo, 'out' | 'err'>;
  /** The conversation one is in. */
  session: string;
  /** The list shown last, for its numbers; and where its next page begins. */
  listed: readonly string[];
  more?: number;
}

export const CHAT_HELP = [
  '/sessions [words]   list sessions, or find some',
  '/switch <n|key>     go to another session',
  '/history [n]        show earlier messages',
  '/quit               leave; other commands go to the gateway: /help',
].join('\n');

/** True when the line was one of ours. */
export async function runChatCommand(line: string, place: ChatPlace): Promise<boolean> {
  const [, name, rest = ''] = /^\/([a-z]+)(?:\s+(.*))?$/.exec(line.trim()) ?? [];
  if (name === 'sessions') await listSessions(rest, place);
  else if (name === 'switch') await switchTo(rest.trim(), place);
  else if (name === 'history') await showHistory(rest, place);
  else if (name === 'keys') place.io.out(CHAT_HELP);
  else return false;
  return true;
}

async function listSessions(search: string, place: ChatPlace): Promise<void> {
  const offset = search === 'more' ? place.more : undefined;
  const answer = await place.link.request<Answers['sessions.list']>('sessions.list', {
    limit: ROWS,
    includeDerivedTitles: true,
    archived: false,
    ...present({ offset, search: search && search !== 'more' ? search : undefined }),
  });
  const before = offset === undefined ? [] : place.listed;
  place.listed = [...before, ...answer.sessions.map(({ key }) => key)];
  delete place.more;
  if (answer.nextOffset !== undefined) place.more = answer.nextOffset;
  answer.sessions.forEach((row, index) => {
    const title = row.label ?? row.subject ?? row.displayName ?? row.derivedTitle ?? '';
    const mark = row.key === place.session ? '*' : ' ';
    place.io.out(
      `${mark}${String(before.length + index + 1).padStart(3)}  ${terminalLine(row.key, 60)}  ${ago(row.updatedAt)}  ` +
        terminalLine(title, 60),
    );
  });
  if (answer.sessions.length === 0) place.io.out('No sessions match.');
  if (answer.nextOffset !== undefined) place.io.out('There are more: /sessions more, or /sessions <words>.');
}

async function switchTo(wanted: string, place: ChatPlace): Promise<void> {
  if (wanted === '') return void place.io.err('Which one? /sessions numbers them: /switch 2, or /switch <key>.');
  const known = /^\d+$/.test(wanted) ? place.listed[Number(wanted) - 1] : undefined;
  if (/^\d+$/.test(wanted) && known === undefined)
    return void place.io.err(`There is no session ${wanted} in the list; run /sessions.`);
  const found = await place.link.request<Answers['sessions.resolve']>('sessions.resolve', {
    key: known ?? wanted,
    allowMissing: true,
  });
  place.session = found.ok ? found.key : wanted;
  place.io.out(`${found.ok ? 'In' : 'New'} session ${terminalLine(place.session)}.`);
  if (found.ok) await showHistory('4', place);
}

async function showHistory(count: string, place: ChatPlace): Promise<void> {
  const limit = Math.min(1000, Math.max(1, Number.parseInt(count, 10) || MESSAGES));
  const history = await place.link.request<Answers['chat.history']>('chat.history', {
    sessionKey: place.session,
    limit,
  });
  for (const message of history.messages) {
    const text = terminalText(textOf((message as unknown as Message).content)).trim();
    const calls = message.role === 'assistant' ? message.content.filter(({ type }) => type === 'toolCall').length : 0;
    if (message.role === 'toolResult' || (text === '' && calls === 0)) continue;
    const who = message.role === 'user' ? terminalLine(message.written?.by ?? 'you', 40) : 'agent';
    const words = message.role === 'user' && message.written ? terminalText(message.written.text) : text;
    place.io.out(`${who}: ${words || `(${calls} tool call${calls === 1 ? '' : 's'})`}`);
  }
  if (history.messages.length === 0) place.io.out('Nothing was said here yet.');
  if (history.nextOffset !== undefined) place.io.out(`(Older messages: /history ${Math.min(1000, limit * 5)})`);
}
