/** How a setting nobody knows is told, and known again in what was told. */
import type { Issue } from './store.ts';

const BEGINNING = 'unknown setting';

export const unknownSetting = (key: string): string => `${BEGINNING} "${key}"; it has no effect`;

export const isUnknownSetting = ({ problem }: Issue): boolean => problem.startsWith(BEGINNING);
