/**
 * What features show on the overview: a line (`page/glance.ts` in the folder of a feature), or a card that contains the
 * lines (`page/card.ts`).
 */
import type { TemplateResult } from 'lit';
import type { App } from '../app.ts';

export interface Glance<A = never> {
  /** Called if the gateway offers it, without parameters; null: there is nothing to show yet. */
  readonly method: string;
  /** The event after which it is called again. */
  readonly event: string;
  /** `zone`: IANA name of the time zone for times. */
  line(answer: A, zone: string): TemplateResult;
}

export interface OverviewCard {
  /** The event after which it is called again. */
  readonly event?: string;
  /** Called when the page is opened, and after each of these events; undefined: there is nothing to show. */
  load(app: App, lines: () => ReturnType<typeof askGlances>): Promise<(() => TemplateResult) | undefined>;
}

const CARDS = import.meta.glob<{ readonly card: OverviewCard }>('../../../src/features/*/page/card.ts', {
  eager: true,
});

/** The cards of features that the gateway offers. */
export async function loadCards(app: App): Promise<readonly (() => TemplateResult)[]> {
  const loaded = await Promise.all(Object.values(CARDS).map(({ card }) => card.load(app, () => askGlances(app))));
  return loaded.filter((card) => card !== undefined);
}

const FOUND = import.meta.glob<{ readonly glance: Glance }>('../../../src/features/*/page/glance.ts', { eager: true });
const glances: readonly Glance[] = Object.values(FOUND).map(({ glance }) => glance);

export const isGlanced = (event: string): boolean =>
  [...glances, ...Object.values(CARDS).map(({ card }) => card)].some((one) => one.event === event);

/** One line of each feature that has something to show. */
async function askGlances(app: App): Promise<readonly ((zone: string) => TemplateResult)[]> {
  const lines = glances.map(async ({ method, line }) => {
    const answer = app.offers(method) ? await app.connection.request<unknown>(method) : null;
    return answer === null ? [] : [(zone: string) => line(answer as never, zone)];
  });
  return (await Promise.all(lines)).flat();
}
