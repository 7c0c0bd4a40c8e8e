/** Wraps text of pages for the model. */
import { wrapUntrusted } from '../../../platform/untrusted-content.ts';

export { inert, inertValue } from '../../../platform/untrusted-content.ts';

/** Text of a page as a model reads it. `warning`: also says how to treat it. */
export const wrapped = (text: string, { warning = true }: { readonly warning?: boolean } = {}): string =>
  wrapUntrusted(text, { source: 'Browser', warning });
