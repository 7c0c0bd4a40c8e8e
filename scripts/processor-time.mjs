/** Seconds of processor that a process took, with those of its children that have ended and theirs. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14];

/** Of this process with its children; undefined where the system does not tell. */
export const ownSeconds = () => secondsIn([USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM]);

/**
 * Of the tests of this process: what was `counted` by now, what was taken before the first of them, file → seconds. It
 * is counted by `processor-by-file.mjs`, which may only be loaded when the reporter, who reads it, already is.
 */
export const taken = { counted: undefined, beforeTests: undefined, files: {} };

/** Of its children alone. */
export const childrenSeconds = () => secondsIn([CHILDREN_USER, CHILDREN_SYSTEM]);

function secondsIn(places) {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return places.reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS_PER_SECOND;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}
