/** Marks text from other programs as external content, unless the owner disabled it. Pure. */
import { wrapExternal, type ExternalContent } from '../../core/external-content.ts';
import { inertLine } from '../../core/inert-line.ts';
import { neutralise } from '../../core/neutralise.ts';
import type { Parted } from './template.ts';
import { head } from '../../core/cut.ts';

export interface Marking {
  /** 16 hex characters, new for each call. */
  readonly id: string;
  readonly source: ExternalContent['source'];
  /** What the hook is called. */
  readonly name: string;
}

/** The owner's own words stand outside the marks. */
export function marked({ before, outside, after }: Parted, { id, source, name }: Marking): string {
  const wrapped = outside === '' ? '' : wrapExternal({ text: outside, id, source, task: inertLine(name) });
  return [before, wrapped, after].filter((part) => part !== '').join('\n\n');
}

const MAX_SHOWN = 8000;

/** For the main session, which is told in a line or two: who says it, and nothing in it that acts. */
export const fromOutside = (text: string): string => `Webhook: ${head(neutralise(text.trim()), MAX_SHOWN)}`;
