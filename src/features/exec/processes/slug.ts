/** Ids of processes: two easy words, e.g. `calm-harbor`. */
import { randomInt } from 'node:crypto';
import { shortId } from '../../../platform/ids.ts';
import { ADJECTIVES } from './slug-adjectives.ts';
import { NOUNS } from './slug-nouns.ts';

const LAST_SUFFIX = 12;

/**
 * Two words; when they are taken `-2` … `-12`, then three words, then something nobody has. `pick` chooses below its
 * argument.
 */
export function newSlug(taken: (slug: string) => boolean, pick: (below: number) => number = randomInt): string {
  const adjective = (): string => ADJECTIVES[pick(ADJECTIVES.length)]!;
  const noun = (): string => NOUNS[pick(NOUNS.length)]!;
  const two = `${adjective()}-${noun()}`;
  const numbered = Array.from({ length: LAST_SUFFIX - 1 }, (_, index) => `${two}-${index + 2}`);
  const three = `${two}-${noun()}`;
  return [two, ...numbered, three].find((slug) => !taken(slug)) ?? `${three}-${shortId()}`;
}
