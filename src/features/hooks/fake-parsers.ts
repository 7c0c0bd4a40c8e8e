/** What reads outside text here on the event loop, for the test that tries every such parser on hostile text. */
import { fill, shownQuery } from './template.ts';
import { fromOutside } from './untrusted.ts';

/** Characters of a request's target, which the server bounds. */
const MAX_QUERY = 16 * 1024;

export const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'hook template': (text) => fill(text, { payload: {}, headers: {}, query: {} } as never, String),
  'hook words': fromOutside,
  query: (text) => shownQuery(text.slice(0, MAX_QUERY)),
};
