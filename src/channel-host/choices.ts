/**
 * Choices below our messages: buttons with unguessable data, or numbers to reply with. Resolves a press or a number to
 * its choice.
 */
import type { ChannelCapabilities } from '../core/channel.ts';
import {
  buttonLabel,
  CHOICE_PREFIX,
  isChoice,
  type Choice,
  type OfferChoices,
  type ShownChoices,
} from '../core/choice.ts';
import type { ChatAddress, InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import { randomId } from '../platform/ids.ts';
import { numberKey, type ChoiceRows, type IssuedChoice, type OfferedChoice } from './choice-tables.ts';

/** A valid press on a button, or a number for one. */
export interface Press {
  readonly choice: Choice;
  /** The session whose message had the button. */
  readonly sessionKey: string;
  /** The same for a press that counts once: the journal takes it once, also after a crash. */
  readonly key: string;
  /** Its number was said; once it was answered, a number is a number again. */
  readonly byNumber: boolean;
}

export interface Choices {
  /** It counts in this chat until it expires. */
  readonly offer: OfferChoices;
  /** `gone`: the button is not valid any more, or not in this chat. Undefined: an ordinary message. */
  read(message: InboundMessage): Press | 'gone' | undefined;
}

export interface ChoicesDeps {
  readonly rows: ChoiceRows;
  /** Milliseconds since the epoch. */
  now(): number;
  capabilities(channel: string): Pick<ChannelCapabilities, 'choices' | 'deliverable'> | undefined;
}

const MINUTE_MS = 60_000;
/** How long a choice counts of which nothing else is known. */
const USUAL_MS = 15 * MINUTE_MS;
/** A number may mean something else to people, so it counts for no longer than this. */
const MAX_NUMBER_MS = 60 * MINUTE_MS;
/** A number stays taken this long after its question: who answers late must not answer the next one. */
const RESERVED_MS = 10 * MINUTE_MS;
/** More than two digits are no answer to a question. */
const MAX_NUMBER = 99;

export function createChoices({ rows, now, capabilities }: ChoicesDeps): Choices {
  async function asButtons(offered: readonly OfferedChoice[]): Promise<ShownChoices> {
    const issued = offered.map((one) => ({ ...one, data: `${CHOICE_PREFIX}${randomId()}` }));
    await rows.issue(issued);
    return { buttons: issued.map(({ data, choice: { label, menu } }) => ({ label, data, ...present({ menu }) })) };
  }

  async function asNumbers(offered: readonly OfferedChoice[], address: ChatAddress): Promise<ShownChoices | undefined> {
    const at = now();
    const numbered = offered.map((one) => ({ ...one, expiresAt: Math.min(one.expiresAt, at + MAX_NUMBER_MS) }));
    const first = await rows.number(numbered, { since: at - RESERVED_MS, max: MAX_NUMBER });
    return first === undefined ? undefined : { line: lineOf(offered, first, address) };
  }

  function find(message: InboundMessage): IssuedChoice | undefined {
    if (message.pressed !== undefined) return rows.find(message.pressed);
    const number = numberIn(message);
    const found = number === undefined ? undefined : rows.find(numberKey(chatKey(message.address), number));
    // In another thread, or from another person, a number answers something else.
    const { threadId = message.address.threadId, askedBy: requester = message.sender.id } = found ?? {};
    return threadId === message.address.threadId && requester === message.sender.id ? found : undefined;
  }

  return {
    async offer(address, sessionKey, offered) {
      const able = capabilities(address.channel);
      if (!offered || offered.of.length === 0 || !able?.deliverable) return undefined;
      const { of, once, expiresAt = now() + USUAL_MS } = offered;
      const [message, chat] = [randomId(), chatKey(address)];
      const each = of.map((choice) => ({
        choice,
        chat,
        ...present({ threadId: address.threadId, askedBy: offered.requestedBy }),
        sessionKey,
        issuedAt: now(),
        expiresAt,
        once: once === 'button' ? randomId() : message,
      }));
      if (able.choices) return asButtons(each);
      return offered.buttonsOnly ? undefined : asNumbers(each, address);
    },
    read(message) {
      const { pressed, address, sender } = message;
      if (pressed !== undefined && !isChoice(pressed)) return undefined;
      const found = find(message);
      if (!found || found.expiresAt <= now() || found.chat !== chatKey(address))
        return pressed === undefined ? undefined : 'gone';
      const { choice, sessionKey, once } = found;
      return { choice, sessionKey, key: `press:${once}:${sender.id}`, byNumber: pressed === undefined };
    },
  };
}

/**
 * In a group only words to the bot answer it: people say numbers to each other, too. A number below a file, or to one's
 * own message, is about that.
 */
function numberIn(message: InboundMessage): number | undefined {
  const { address, said, sender, addressesBot, attachments, quoted } = message;
  if (message.quiet || message.forwarded || message.editVersion || message.location || message.contacts)
    return undefined;
  if (attachments.length > 0 || quoted?.senderId === sender.id) return undefined;
  if (address.chat.kind !== 'direct' && !addressesBot) return undefined;
  const digits = /^(\d{1,2})[.)]?$/.exec((said ?? '').trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function lineOf(offered: readonly OfferedChoice[], first: number, { chat }: ChatAddress): string {
  const how = chat.kind === 'direct' ? 'Reply with a number' : 'Mention me with a number';
  return `${how}: ${offered.map(({ choice }, index) => `${first + index} ${buttonLabel(choice)}`).join(' · ')}`;
}

const chatKey = ({ channel, accountId, chat }: ChatAddress): string =>
  JSON.stringify([channel, accountId, chat.kind, chat.id]);
