/** Seconds of processor that a process took, with those of its children that have ended and theirs. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14];

/** Of this process with its children; undefined where the system does not tell. */
export const ownSeconds = () => secondsIn([USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM]);

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
