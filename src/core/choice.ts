/**
 * Answers that a message of ours offers as buttons. A press counts as if its presser had typed the answer, and is
 * judged as that is: a button gives nobody a right.
 */

/** What is offered. */
export interface Choice {
  readonly label: string;
  /** What a press stands for, as it would be typed. */
  readonly says: string;
}

/** A button as a channel shows it; `data` comes back with the press. */
export interface ChoiceButton {
  readonly label: string;
  readonly data: string;
}

/** How the data of these buttons begins; no other button may bear such data. */
export const CHOICE_PREFIX = 'choice:';

/** Whether it is the data of such a button. */
export const isChoice = (data: string): boolean => data.startsWith(CHOICE_PREFIX);
