/**
 * The raw words that a person typed or spoke in one message. Commands and everything else that acts read only these.
 */

declare const raw: unique symbol;

/** A text that only `saying.ts` creates; composed text does not have this type. */
export type SaidWords = string & { readonly [raw]: 'said' };

/** For messages that no person wrote: they hold no commands. */
export const NOTHING_SAID = '' as SaidWords;
