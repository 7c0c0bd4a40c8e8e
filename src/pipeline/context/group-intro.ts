/** The system prompt's section about a group: where the agent is, and when it should reply. Pure. */
import { inertLine } from '../../core/inert-line.ts';
import type { InboundMessage } from '../../core/message.ts';
import { SILENT_REPLY } from '../../core/product.ts';

export interface GroupContext {
  readonly label: string;
  readonly message: Pick<InboundMessage, 'place' | 'address'>;
  /** It is given every message, not only those that address it. */
  readonly always: boolean;
}

export function groupIntro({ label, message: { place = {}, address }, always }: GroupContext): string {
  const name = inertLine(
    [place.space, place.chat, place.thread].filter((part) => part !== undefined && part !== '').join(' / '),
  );
  const where =
    'You are in ' +
    `${address.chat.kind === 'channel' ? 'a channel' : 'a group chat'}${name === '' ? '' : ` called "${name}"`} on ${label}${place.members === undefined ? '' : `, with ${place.members} members`}.`;
  return [
    where,
    'Several people write here: address whoever you answer, keep answers short, and do not repeat what others said.',
    always
      ? 'You see every message. Speak only when you are asked or can really help; otherwise answer exactly ' +
        `${SILENT_REPLY}, and nothing is sent.`
      : 'You see the messages that address you, and with them what was said since your last answer.',
    'Everybody here reads what you write: keep what you know from private conversations to yourself.',
  ].join('\n');
}
