/** Each channel's two private files of pairing requests and approvals; reloaded after manual edits. */
import { dirname, join } from 'node:path';
import { head } from '../../core/cut.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { listDir } from '../../platform/files.ts';
import { createNearFiles, type NearFiles } from '../../platform/near-files.ts';
import { readBackedUp, writeBackedUp, type Damage } from '../../platform/backed-up-file.ts';
import {
  allowedText,
  pendingText,
  readAllowed,
  readPending,
  type PairedSender,
  type PairingRequest,
} from './pairing-file.ts';

export const PAIRING_TTL_MS = 60 * 60_000;
const GOOD_COPY =
  'The file was invalid and was moved aside; its last valid copy was restored. Edits made by hand since ' +
  'then are only in the moved file.';
const NO_COPY =
  'The file was invalid and was moved aside; its approvals do not apply. Fix it and move it back, or ' +
  'approve people anew.';

export interface PairingFilesDeps {
  /** `<stateDir>/credentials` */
  readonly dir: string;
  readonly log: Log;
  now(): number;
}

export interface Known {
  readonly requests: readonly PairingRequest[];
  readonly allowed: readonly PairedSender[];
  readonly stamp: string;
}

export interface PairingFiles {
  /** What is on disk, without requests that have expired. Rejects what is no id of a channel. */
  current(channel: string): Promise<Known>;
  keep(channel: string, patch: Partial<Pick<Known, 'requests' | 'allowed'>>): Promise<void>;
  /** Channels somebody asked at. */
  channels(): Promise<readonly string[]>;
}

export function createPairingFiles({ dir, log, now }: PairingFilesDeps): PairingFiles {
  const known = new Map<string, Known>();
  // Each message of a channel looks, one after the other.
  const near = createNearFiles(dirname(dir));

  /** A file that makes no sense is put aside, never written over; who was in its last good copy still is. */
  async function load<T>(path: string, read: (text: string) => readonly T[] | undefined): Promise<readonly T[]> {
    const damaged = ({ aside, restored }: Damage): void =>
      log.error('pairing.file', { path, aside, restored, fix: restored ? GOOD_COPY : NO_COPY });
    return (await readBackedUp(path, { parse: read, now: now(), damaged })) ?? [];
  }

  return {
    channels: () => channelsIn(dir),
    async current(channel) {
      const files = filesOf(dir, checked(channel));
      const stamp = await stampOf(files, near);
      const before = known.get(channel);
      const state =
        before?.stamp === stamp
          ? before
          : {
              stamp,
              requests: await load(files.pending, readPending),
              allowed: await load(files.allowed, readAllowed),
            };
      const live = {
        ...state,
        requests: state.requests.filter(({ createdAt }) => Math.abs(now() - createdAt) < PAIRING_TTL_MS),
      };
      known.set(channel, live);
      return live;
    },
    async keep(channel, patch) {
      const files = filesOf(dir, channel);
      if (patch.allowed) await writeBackedUp(files.allowed, allowedText(patch.allowed));
      if (patch.requests) await writeBackedUp(files.pending, pendingText(patch.requests));
      known.set(channel, { ...known.get(channel)!, ...patch, stamp: await stampOf(files, near) });
    },
  };
}

const filesOf = (dir: string, channel: string) => ({
  pending: join(dir, `${channel}-pairing.json`),
  allowed: join(dir, `${channel}-allowFrom.json`),
});

/** Differs when a file was replaced or written by somebody else. */
async function stampOf(files: ReturnType<typeof filesOf>, near: NearFiles): Promise<string> {
  const found = await Promise.all([files.pending, files.allowed].map(near.stat));
  return JSON.stringify(found.map((one) => one && [one.inode, one.size, one.modifiedAt]));
}

async function channelsIn(dir: string): Promise<readonly string[]> {
  const ending = '-pairing.json';
  return (await listDir(dir))
    .filter(({ kind, name }) => kind === 'file' && name.endsWith(ending))
    .map(({ name }) => name.slice(0, -ending.length))
    .filter((id) => CHANNEL_ID.test(id));
}

const CHANNEL_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** It becomes part of a file name. */
function checked(channel: string): string {
  if (CHANNEL_ID.test(channel)) return channel;
  throw new AppError('invalid', `"${head(channel, 64)}" is not a channel id.`);
}
