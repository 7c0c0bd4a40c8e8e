/** What features add to "Needs you" on the overview: `page/needs.ts` in the folder of a feature. */
import type { App } from '../app.ts';
import type { IconName } from '../elements/icons.ts';
import type { Page } from '../routes.ts';

export interface Need<A = never> {
  /** Called without parameters, if the gateway offers it. */
  readonly method: string;
  /** The beginning of the names of the events after which it is called again. */
  readonly events: string;
  /** What is counted, in the singular: "device". */
  readonly what: string;
  readonly icon: IconName;
  /** The page on which a person reviews them. */
  readonly page: Page;
  count(answer: A): number;
}

/** One need with its current number. */
export interface CountedNeed {
  readonly need: Need;
  readonly count: number;
}

const FOUND = import.meta.glob<{ readonly need: Need }>('../../../src/features/*/page/needs.ts', { eager: true });
const needs: readonly Need[] = Object.values(FOUND).map(({ need }) => need);

export const changesNeeds = (event: string): boolean => needs.some(({ events }) => event.startsWith(events));

/** The needs of all features that the gateway offers; `attempt` handles a failed request of one of them. */
export async function countNeeds(
  app: App,
  attempt: <T>(answer: Promise<T>) => Promise<T | undefined>,
): Promise<readonly CountedNeed[]> {
  const counted = needs
    .filter(({ method }) => app.offers(method))
    .map(async (need) => {
      const answer = await attempt(app.connection.request<unknown>(need.method));
      return { need, count: answer === undefined ? 0 : need.count(answer as never) };
    });
  return (await Promise.all(counted)).filter(({ count }) => count > 0);
}
