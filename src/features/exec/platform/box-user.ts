/**
 * The user id that processes in a sandbox have on this machine: an unused one, where the gateway is root and can assign
 * it.
 */
import { readTextIfExists } from '../../../platform/files.ts';
import { ownUser } from '../../../platform/own-user.ts';

/** Numbers of the user and group a sandbox runs as. */
export interface BoxUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * No system hands the first one out, to people, services or containers; the second is for containers that have 65536
 * numbers in all.
 */
const NUMBERS = [2_100_000_000, 65_530] as const;
/** Where users have no numbers, a container's still do. */
export const NOBODYS: BoxUser = { uid: NUMBERS[1], gid: NUMBERS[1] };

/** Undefined: the gateway is no root, so the box is its own user. The problem is a sentence that says what to do. */
export async function findBoxUser(): Promise<BoxUser | { readonly problem: string } | undefined> {
  if (ownUser()?.uid !== 0) return undefined;
  const [users, groups, people, circles] = await Promise.all(
    ['/proc/self/uid_map', '/proc/self/gid_map', '/etc/passwd', '/etc/group'].map(readTextIfExists),
  );
  const free = NUMBERS.find(
    (number) =>
      isMapped(users, number) && isMapped(groups, number) && !isTaken(people, number) && !isTaken(circles, number),
  );
  if (free !== undefined) return { uid: free, gid: free };
  return {
    problem:
      `The gateway runs as root, and no unused user id (${NUMBERS.join(', ')}) is left for processes that ` +
      'run in a sandbox. Run the gateway as a separate user.',
  };
}

/** Lines of `first inside, first outside, how many`; without the file every number is one. */
const isMapped = (map: string | undefined, number: number): boolean =>
  map === undefined ||
  map
    .trim()
    .split('\n')
    .some((line) => {
      const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
      return number >= first && number < first + count;
    });

/** Both files have the number third. */
const isTaken = (file: string | undefined, number: number): boolean =>
  (file ?? '').split('\n').some((line) => line.split(':')[2] === String(number));
