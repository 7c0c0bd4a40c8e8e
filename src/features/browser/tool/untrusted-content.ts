/** Wraps text of pages for the model: between markers it cannot forge, with our own markup neutralized. */
import { sanitiseExternal, wrapExternal } from '../../../core/external-content.ts';
import { neutraliseMedia } from '../../../core/neutralise.ts';
import { randomToken } from '../../../platform/ids.ts';

/** Wraps text of a page for a model. `warning`: also says how to treat it. */
export const wrapped = (text: string, { warning = true }: { readonly warning?: boolean } = {}): string =>
  wrapExternal({ text: neutraliseMedia(text), id: markId(), source: 'Browser', warning });

const markId = (): string => Buffer.from(randomToken()).toString('hex').slice(0, 16);

/** For a message of ours that quotes a page. */
export const inert = (text: string): string => sanitiseExternal(neutraliseMedia(text));

/** Neutralizes every string in it; for the details, which people and programs read. */
export function inertValue(value: unknown): unknown {
  if (typeof value === 'string') return inert(value);
  if (Array.isArray(value)) return value.map(inertValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [inert(name), inertValue(one)]));
}
