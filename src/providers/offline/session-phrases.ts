/** The concierge's phrases about other conversations: which there are, and saying something in one. */
import type { Phrase } from './phrase.ts';
import { briefly, inert, quote, unquoted } from './quoting.ts';
import { fieldsOf, listOf, wordOf, type Fields } from './read-json.ts';
import type { SeenResult } from './view.ts';

const send = { tool: 'sessions_send', describe: describeSent, describeFailure: describeSent } as const;

export const sessionPhrases: readonly Phrase[] = [
  {
    usage: 'sessions',
    does: 'lists the conversations',
    tool: 'sessions_list',
    pattern: /^(?:list\s+)?sessions[.!?]?$/i,
    input: () => ({ limit: 20 }),
    describe: describeSessions,
  },
  {
    ...send,
    usage: 'tell <session>: <text>',
    does: 'says something to the agent of another conversation',
    pattern: /^tell\s+(?!(?:me|us)\b)(\S(?:[^\n:]|:(?!\s)){0,300}):\s+(\S[\s\S]*)$/i,
    input: ([, session = '', message = '']) => sendTo(session, message),
  },
  {
    ...send,
    usage: 'ask <session>: <text>',
    does: 'asks it, and shows what it answers',
    pattern: /^ask\s+(?!(?:me|us)\b)(\S(?:[^\n:]|:(?!\s)){0,300}):\s+(\S[\s\S]*)$/i,
    input: ([, session = '', message = '']) => sendTo(session, message),
  },
];

/** Keys have colons and ids are UUIDs; everything else a person calls a conversation is its label. */
function sendTo(written: string, message: string) {
  const session = unquoted(written.trim());
  const isKey =
    /^[^\s:]+:\S+$/.test(session) ||
    session.toLowerCase() === 'main' ||
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(session);
  return { ...(isKey ? { sessionKey: session } : { label: session }), message: message.trimEnd(), timeoutSeconds: 30 };
}

function describeSent({ input, text, failed }: SeenResult): string {
  const answer = fieldsOf(text);
  if (!answer) return failed ? `That did not work: ${inert(text)}` : quote(text);
  const where = `\`${briefly(wordOf(answer['sessionKey']) || wordOf(input['sessionKey']) || wordOf(input['label']))}\``;
  switch (answer['status']) {
    case 'ok':
      return wordOf(answer['reply']) === ''
        ? `${where} has it, and had nothing to say.`
        : `${where} answered:\n\n${quote(wordOf(answer['reply']))}`;
    case 'accepted':
      return `${where} has it.`;
    case 'timeout':
      return `${where} has it, and has not answered yet.`;
    default:
      return (
        `That did not work: ${inert(wordOf(answer['error']) || 'it did not say why.')} \`sessions\` lists the ` +
        'conversations.'
      );
  }
}

function describeSessions({ text }: SeenResult): string {
  const answer = fieldsOf(text);
  if (!answer) return quote(text);
  const sessions = listOf(answer['sessions']);
  return sessions.length === 0 ? 'There are no other conversations.' : sessions.map(sessionLine).join('\n');
}

function sessionLine(session: Fields): string {
  const name = wordOf(session['label']) || wordOf(session['displayName']);
  const about = [wordOf(session['kind']), wordOf(session['channel'])]
    .filter((word) => word !== '' && word !== 'unknown')
    .map((word) => briefly(word));
  return (
    '- ' +
    `\`${briefly(wordOf(session['key']))}\`${name ? ` ${briefly(name)}` : ''}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
  );
}
