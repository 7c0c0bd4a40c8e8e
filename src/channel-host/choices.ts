/** Buttons below messages of ours: issues their data, which nobody can guess, and tells what a press stands for. */
import type { ChannelCapabilities } from '../core/channel.ts';
import { CHOICE_PREFIX, isChoice, type Choice, type ChoiceButton, type Offered } from '../core/choice.ts';
import type { ChatAddress, InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import { randomId } from '../platform/ids.ts';
import type { ChoiceRows } from './choice-tables.ts';

/** A press on a button that counts. */
export interface Press {
  readonly choice: Choice;
  /** The session whose message had the button. */
  readonly sessionKey: string;
  /** The same for a press that counts once: the journal takes it once, also after a crash. */
  readonly key: string;
}

export interface Choices {
  /**
   * Buttons for one message of this session; they are valid in this chat until they expire. Undefined: nothing is
   * offered, or the channel has no buttons.
   */
  offer(
    address: ChatAddress,
    sessionKey: string,
    offered: Offered | undefined,
  ): Promise<readonly ChoiceButton[] | undefined>;
  /** `gone`: the button is not valid any more, or not in this chat. Undefined: it is no press on one. */
  read(message: Pick<InboundMessage, 'pressed' | 'address' | 'sender'>): Press | 'gone' | undefined;
}

export interface ChoicesDeps {
  readonly rows: ChoiceRows;
  /** Milliseconds since the epoch. */
  now(): number;
  capabilities(channel: string): Pick<ChannelCapabilities, 'choices'> | undefined;
}

export function createChoices({ rows, now, capabilities }: ChoicesDeps): Choices {
  return {
    async offer(address, sessionKey, offered) {
      if (!offered || offered.of.length === 0 || !capabilities(address.channel)?.choices) return undefined;
      const [message, chat] = [randomId(), chatKey(address)];
      const issued = offered.of.map((choice) => {
        const data = `${CHOICE_PREFIX}${randomId()}`;
        const once = offered.once === 'button' ? data : message;
        return { data, choice, chat, sessionKey, once, expiresAt: offered.expiresAt };
      });
      await rows.issue(issued);
      return issued.map(({ data, choice: { label, menu } }) => ({ label, data, ...present({ menu }) }));
    },
    read({ pressed, address, sender }) {
      if (pressed === undefined || !isChoice(pressed)) return undefined;
      const found = rows.find(pressed);
      if (!found || found.expiresAt <= now() || found.chat !== chatKey(address)) return 'gone';
      return { choice: found.choice, sessionKey: found.sessionKey, key: `press:${found.once}:${sender.id}` };
    },
  };
}

const chatKey = ({ channel, accountId, chat }: ChatAddress): string =>
  JSON.stringify([channel, accountId, chat.kind, chat.id]);
