/** Describes an unknown setting, and recognizes that description. */
import type { Issue } from './store.ts';

const BEGINNING = 'unknown setting';

export const unknownSetting = (key: string): string => `${BEGINNING} "${key}"; it has no effect`;

const NO_CHANNEL = 'there is no channel';

export const unknownSection = (channel: string): string => `${NO_CHANNEL} "${channel}"; the section has no effect`;

export const isUnknownSetting = ({ problem }: Issue): boolean =>
  problem.startsWith(BEGINNING) || (problem.startsWith(NO_CHANNEL) && problem.endsWith('the section has no effect'));
