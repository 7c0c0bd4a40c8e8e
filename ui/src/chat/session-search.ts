/**
 * Finds the full-text search that a feature adds to the list of conversations: `page/session-search.ts`. It is loaded
 * with the first search.
 */
import type { TemplateResult } from 'lit';
import type { App } from '../app.ts';

export interface SessionSearch<F = unknown> {
  /** Undefined: the gateway cannot search, or the query is too short. */
  find(app: App, query: string): Promise<F | undefined>;
  /** `open`: shows a conversation, at the message of a run. */
  show(app: App, found: F, open: (key: string, runId: string | undefined) => void): TemplateResult;
}

const FOUND = import.meta.glob<{ readonly sessionSearch: SessionSearch }>(
  '../../../src/features/*/page/session-search.ts',
);

/** One feature at most searches; undefined: none does. */
export const loadSessionSearch = async (): Promise<SessionSearch | undefined> =>
  (await Object.values(FOUND)[0]?.())?.sessionSearch;
