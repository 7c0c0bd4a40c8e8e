/**
 * Answers that a message of ours offers as buttons. A press counts as its presser's own, and is judged as what that
 * person writes is: a button gives nobody a right.
 */
import type { ChatAddress } from './message.ts';

/** What is offered. */
export type Choice = {
  readonly label: string;
  /** Choices of the same menu belong together: a list to choose from, where the platform has one. */
  readonly menu?: string;
} & (
  | {
      /** What a press stands for, as it would be typed. */
      readonly says: string;
      readonly tells?: undefined;
    }
  | {
      /** What the agent is told of a press. Nobody typed it: no command in it counts. */
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
  /**
   * Only a button or its own words decide it, and no number: a number may be an answer to something else, which
   * somebody else made people say.
   */
  readonly buttonsOnly?: true;
  /** Whose question it is, by their id: a number of somebody else answers something else. Absent: everybody's. */
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
