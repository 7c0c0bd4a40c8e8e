/** Wraps text of pages for the model. */
import { wrapUntrusted } from '../../../platform/untrusted-content.ts';

export { inert, inertValue } from '../../../platform/untrusted-content.ts';

/** Wraps text of a page for a model. `warning`: also says how to treat it. */
export const wrapped = (text: string, { warning = true }: { readonly warning?: boolean } = {}): string =>
  wrapUntrusted(text, { source: 'Browser', warning });
