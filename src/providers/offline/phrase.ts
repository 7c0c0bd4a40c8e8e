/** What the concierge understands by one way of putting things. */
import type { SeenResult, View } from './view.ts';

export type Input = Readonly<Record<string, unknown>>;

export interface Phrase {
  /** As a person types it; shown by `help`. */
  readonly usage: string;
  readonly does: string;
  readonly pattern: RegExp;
  /** Phrases of the same tool tell its results alike. */
  readonly tool: string;
  /** Only a person may ask for it: what a schedule set off must not make schedules. */
  readonly byPerson?: true;
  /** What the tool is called with; a sentence is said in place of a call. */
  input(match: RegExpExecArray, view: View): Input | string;
  /** A second call, made of what the first one answered; a sentence ends it. Never a third. */
  then?(match: RegExpExecArray, result: SeenResult): Input | string;
  /** Puts the tool's result into words. */
  describe(result: SeenResult): string;
  /** Absent: that it did not work, and the tool's own words. */
  describeFailure?(result: SeenResult): string;
}
