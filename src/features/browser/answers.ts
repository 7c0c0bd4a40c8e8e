/** What the method of the browser answers: whatever its route does. */
import { z } from 'zod';

export const answers = {
  'browser.request': z.record(z.string(), z.unknown()).describe('The answer of the route.'),
};

/** The answer of each method. */
export type BrowserAnswers = { readonly [K in keyof typeof answers]: z.output<(typeof answers)[K]> };
