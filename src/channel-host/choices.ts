/**
 * Buttons below messages of ours: issues their data, which nobody can guess, and turns a press into the words it stands
 * for. Kept in memory: what is asked waits in memory, too.
 */
import type { ChannelCapabilities } from '../core/channel.ts';
import { CHOICE_PREFIX, isChoice, type Choice, type ChoiceButton } from '../core/choice.ts';
import { setNewest } from '../core/bounded-map.ts';
import type { ChatAddress, InboundMessage } from '../core/message.ts';
import { randomId } from '../platform/ids.ts';

export interface Choices {
  /**
   * Buttons for one message; they are valid in this chat until `expiresAt`, in milliseconds since the epoch. Undefined:
   * nothing is offered, or the channel has no buttons.
   */
  offer(
    address: ChatAddress,
    offered: { readonly of: readonly Choice[]; readonly expiresAt: number } | undefined,
  ): readonly ChoiceButton[] | undefined;
  /**
   * What a press on such a button stands for, as it would be typed. `gone`: the button is not valid any more, not in
   * this chat, or this person pressed below this message before. Undefined: it is no press on one.
   */
  read(message: InboundMessage): { readonly says: string } | 'gone' | undefined;
  /** The press was taken: it counts once. */
  taken(message: InboundMessage): void;
}

export interface ChoicesDeps {
  /** Milliseconds since the epoch. */
  now(): number;
  capabilities(channel: string): Pick<ChannelCapabilities, 'choices'> | undefined;
}

interface Offer {
  readonly chat: string;
  readonly expiresAt: number;
  readonly pressedBy: Set<string>;
}

const MAX_BUTTONS = 2000;

export function createChoices({ now, capabilities }: ChoicesDeps): Choices {
  const issued = new Map<string, { readonly says: string; readonly offer: Offer }>();
  return {
    offer(address, offered) {
      if (!offered || !capabilities(address.channel)?.choices) return undefined;
      const offer: Offer = { chat: chatKey(address), expiresAt: offered.expiresAt, pressedBy: new Set() };
      return offered.of.map(({ label, says }) => {
        const data = `${CHOICE_PREFIX}${randomId()}`;
        setNewest(issued, data, { says, offer }, MAX_BUTTONS);
        return { label, data };
      });
    },
    read({ pressed, address, sender }) {
      if (pressed === undefined || !isChoice(pressed)) return undefined;
      const { says, offer } = issued.get(pressed) ?? {};
      if (says === undefined || !offer || offer.expiresAt <= now()) return 'gone';
      return offer.chat === chatKey(address) && !offer.pressedBy.has(sender.id) ? { says } : 'gone';
    },
    taken({ pressed, sender }) {
      if (pressed !== undefined) issued.get(pressed)?.offer.pressedBy.add(sender.id);
    },
  };
}

const chatKey = ({ channel, accountId, chat }: ChatAddress): string =>
  JSON.stringify([channel, accountId, chat.kind, chat.id]);
