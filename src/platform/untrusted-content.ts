/** Wraps text from outside for the model: between markers it cannot forge, with our own markup neutralized. */
import { sanitiseExternal, wrapExternal, type ExternalContent } from '../core/external-content.ts';
import { neutraliseMedia } from '../core/neutralise.ts';
import { randomToken } from './ids.ts';

/** Text from outside as a model reads it. `warning`: also says how to treat it. */
export const wrapUntrusted = (
  text: string,
  { warning = true, source }: { readonly warning?: boolean; readonly source: ExternalContent['source'] },
): string => wrapExternal({ text: neutraliseMedia(text), id: markId(), source, warning });

const markId = (): string => Buffer.from(randomToken()).toString('hex').slice(0, 16);

/** For a text of ours that quotes one from outside. */
export const inert = (text: string): string => sanitiseExternal(neutraliseMedia(text));

/** Every string in it is inert; for details, which people and programs read. */
export function inertValue(value: unknown): unknown {
  if (typeof value === 'string') return inert(value);
  if (Array.isArray(value)) return value.map(inertValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [inert(name), inertValue(one)]));
}
