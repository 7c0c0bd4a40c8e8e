/**
 * Answers that our message offers as buttons. A press counts as a message of the person who pressed, with the same
 * checks: a button grants no rights.
 */
import type { ChatAddress } from './message.ts';

/** What is offered. */
export type Choice = {
  readonly label: string;
  /** Choices of the same menu belong together: a list to choose from, where the platform has one. */
  readonly menu?: string;
} & (
  | {
      /** The text of the choice, as a person would type it. */
      readonly says: string;
      readonly tells?: undefined;
    }
  | {
      /** What the agent is told about a press. It was not typed, so commands in it have no effect. */
      readonly tells: string;
      readonly says?: undefined;
    }
);

/** What one message offers. */
export interface Offered {
  readonly of: readonly Choice[];
  /** Milliseconds since the epoch. Absent: for a quarter of an hour. */
  readonly expiresAt?: number;
  /** What a press counts once for, for each person: the message (one answer), or every button of its own. */
  readonly once?: 'message' | 'button';
  /** Only the button or its text selects it, not a number, because a number may answer another question. */
  readonly buttonsOnly?: true;
  /**
   * The id of the person who may answer with a number; the number of another person answers something else. Absent:
   * everybody may.
   */
  readonly requestedBy?: string;
}

/** What the message shows of it: buttons, or where the channel has none a line with numbers to reply with. */
export interface ShownChoices {
  readonly buttons?: readonly ChoiceButton[];
  readonly line?: string;
}

/** Choices of a session as the chat can show them; undefined: nothing is offered, or nothing can be shown. */
export type OfferChoices = (
  address: ChatAddress,
  sessionKey: string,
  offered: Offered | undefined,
) => Promise<ShownChoices | undefined>;

/** A button as a channel shows it; `data` comes back with the press. */
export interface ChoiceButton {
  readonly label: string;
  readonly data: string;
  readonly menu?: string;
}

/** How the data of these buttons begins; no other button may bear such data. */
export const CHOICE_PREFIX = 'choice:';

/** Whether it is the data of such a button. */
export const isChoice = (data: string): boolean => data.startsWith(CHOICE_PREFIX);

/** What a button says where its platform has no menus. */
export const buttonLabel = ({ label, menu }: Pick<ChoiceButton, 'label' | 'menu'>): string =>
  menu === undefined ? label : `${menu}: ${label}`;

/** Buttons that stand alone, and those of each menu together, in the order of the first of each. */
export function byMenu(
  choices: readonly ChoiceButton[],
): readonly { readonly menu: string | undefined; readonly of: readonly ChoiceButton[] }[] {
  const groups = new Map<string | undefined, ChoiceButton[]>();
  for (const choice of choices) {
    const group = groups.get(choice.menu);
    if (group) group.push(choice);
    else groups.set(choice.menu, [choice]);
  }
  return [...groups].map(([menu, of]) => ({ menu, of }));
}
