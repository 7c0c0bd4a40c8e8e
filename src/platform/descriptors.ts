/** Reads how many files and sockets this process may open, and how many are open. */
import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from './storage-error.ts';

/** Open files and sockets of this process, and how many it may have. */
export interface Descriptors {
  readonly limit: number;
  used(): number;
}

/** Under this many clients, or a few commands and channels, come near the limit. */
const FEW = 256;
/** What one turn opens at once: its model's connection, its transcript, a file of its tools. */
const ONE_TURN = 3;

/** Undefined where the system does not tell: it is no Linux. */
export function ownDescriptors(): Descriptors | undefined {
  const limit = ownLimit();
  return limit === undefined ? undefined : { limit, used: () => countOpen(limit) };
}

/** The runtime raises its limit as far as the system lets it, so this is the limit that the parent process set. */
function ownLimit(): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(readIfThere('/proc/self/limits') ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Looking takes a descriptor too: where none is left, all are in use. */
function countOpen(limit: number): number {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return limit;
  }
}

/** What the gateway holds at rest, without channels. */
const AT_REST = 32;

/** How many turns at once leave half of what is free to connections; at least one. */
export function turnsWithin(descriptors: Descriptors | undefined): number {
  return descriptors ? Math.max(1, Math.floor((descriptors.limit - AT_REST) / 2 / ONE_TURN)) : Infinity;
}

/** A reading of `Descriptors`; `problem`: what to do when they run short. */
export interface DescriptorUse {
  readonly limit: number;
  readonly used: number;
  readonly problem?: string;
}

/** `problem`: what is the matter and what helps, in one line; absent while there is plenty. */
export function descriptorUse(descriptors: Descriptors): DescriptorUse {
  const { limit } = descriptors;
  const used = descriptors.used();
  if (limit >= FEW && !isExhausted({ limit, used })) return { limit, used };
  return {
    limit,
    used,
    problem:
      `${used} of the ${limit} files and sockets this process may open are in use; new connections are refused ` +
      'before messages are; raise the limit to 1024 or more',
  };
}

/** What is left may not do for one more turn. */
export const isExhausted = ({ limit, used }: DescriptorUse): boolean => limit - used < ONE_TURN;
