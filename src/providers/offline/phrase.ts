/** What the concierge understands by one way of putting things. */
import type { SeenResult, View } from './view.ts';

export interface Phrase {
  /** As a person types it; shown by `help`. */
  readonly usage: string;
  readonly does: string;
  readonly pattern: RegExp;
  /** Phrases of the same tool tell its results alike. */
  readonly tool: string;
  /** What the tool is called with; a sentence is said in place of a call. */
  input(match: RegExpExecArray, view: View): Readonly<Record<string, unknown>> | string;
  /** Puts the tool's result into words. */
  tell(result: SeenResult): string;
  /** Absent: that it did not work, and the tool's own words. */
  tellFailure?(result: SeenResult): string;
}
