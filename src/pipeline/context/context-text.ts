/** The context of a channel message: sender, chat, quoted message, earlier messages. Pure. */
import { excerpt } from '../../core/cut.ts';
import { inertLine } from '../../core/inert-line.ts';
import type { HistoryLine, InboundMessage, Quoted } from '../../core/message.ts';
import { neutralise } from '../../core/neutralise.ts';
import { present } from '../../core/present.ts';
import { envelope, senderLabel, type EnvelopeRules } from './envelope.ts';

export interface ContextRules extends EnvelopeRules {
  /** What the channel is called; undefined: a surface of our own, whose messages stand as they are. */
  readonly label: string | undefined;
  /** The agent can refer to messages there, so it gets their ids. */
  readonly showIds: boolean;
}

export interface ProcessScanner {
  readonly message: InboundMessage;
  readonly history?: readonly HistoryLine[] | undefined;
  /** Milliseconds since the conversation was last used. */
  readonly elapsedMs?: number | undefined;
}

/** Longer quotes and lines are cut: they are context, not the message. */
const MAX_QUOTED = 2000;
const MAX_A_LINE = 500;

/** `body` with all of that around it. */
export function withContext(
  body: string,
  { message, history = [], elapsedMs }: ProcessScanner,
  rules: ContextRules,
): string {
  if (rules.label === undefined || message.system) return body;
  const said = [
    ...(message.address.chat.kind === 'direct' ? [] : [`${senderLabel(message.sender)}: `]),
    forwardMark(message),
    body,
  ].join('');
  const current = [envelope(message, rules.label, rules, elapsedMs) + said, ...placesAndPeople(message)].join('\n');
  const whole = [
    starter(message),
    current,
    replyBlock(isThreadRoot(message) ? undefined : message.quoted),
    rules.showIds ? `[message_id: ${inertLine(message.id)}]` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return history.length === 0
    ? whole
    : [
        '[Chat messages since your last reply - for context]',
        ...history.map(historyText),
        '',
        '[Current message - respond to this]',
        whole,
      ].join('\n');
}

const historyText = ({ sender, text }: HistoryLine): string =>
  `${inertLine(sender)}: ${excerpt(
    neutralise(excerpt(text, MAX_A_LINE))
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ⏎ '),
    MAX_A_LINE,
  )}`;

/** The first message of a thread is marked as that. */
export const isThreadRoot = ({ quoted, address }: Pick<InboundMessage, 'quoted' | 'address'>): boolean =>
  quoted?.id !== undefined && quoted.id === address.threadId;

function replyBlock(quoted: Quoted | undefined): string {
  const body =
    quoted &&
    (quoted.text?.trim()
      ? excerpt(neutralise(quoted.text.trim()), MAX_QUOTED)
      : quoted.media && `<media:${quoted.media}>`);
  if (!quoted || !body) return '';
  const who = `${quotedSender(quoted)}${quoted.id ? ` id:${inertLine(quoted.id)}` : ''}`;
  return quoted.partial ? `[Quoting ${who}]\n"${body}"\n[/Quoting]` : `[Replying to ${who}]\n${body}\n[/Replying]`;
}

/** With the stable id: a namesake is seen. */
const quotedSender = ({ sender, senderId }: { readonly sender?: string; readonly senderId?: string }): string =>
  senderId === undefined
    ? inertLine(sender ?? '') || 'unknown sender'
    : senderLabel(present({ id: senderId, name: sender }));

function forwardMark({ forwarded }: InboundMessage): string {
  if (!forwarded) return '';
  return (
    '[Forwarded from ' +
    `${inertLine(forwarded.from)}${forwarded.at === undefined ? '' : ` at ${new Date(forwarded.at).toISOString()}`}] `
  );
}

function starter({ threadStarter }: InboundMessage): string {
  if (!threadStarter?.text.trim()) return '';
  return (
    '[Thread started by ' +
    `${quotedSender(threadStarter)}]\n${excerpt(neutralise(threadStarter.text.trim()), MAX_QUOTED)}\n[/Thread]`
  );
}

function placesAndPeople({ location, contacts = [] }: InboundMessage): readonly string[] {
  return [
    ...(location ? [placeText(location)] : []),
    ...contacts.map(({ name, phones }) => `[Contact: ${[name, ...phones].map(inertLine).join(', ')}]`),
  ];
}

function placeText({
  latitude,
  longitude,
  accuracyMeters,
  name,
  address,
  live,
}: NonNullable<InboundMessage['location']>): string {
  const about = [name, address]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => inertLine(part!))
    .join(', ');
  const exact = accuracyMeters === undefined ? '' : ` ±${Math.round(accuracyMeters)} m`;
  return (
    `[${live ? 'Live location' : 'Location'}: ${latitude}, ` +
    `${longitude}${exact}${about === '' ? '' : ` – ${about}`}]`
  );
}
