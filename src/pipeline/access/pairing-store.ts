/** Who asked to be let in to direct chats and who was, by channel, in private files beside the credentials. */
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { listDir, statIfExists } from '../../platform/files.ts';
import { createSerialQueue } from '../../platform/keyed-queue.ts';
import { readKept, writeKept, type Damage } from '../../platform/kept-file.ts';
import { byCode, newCode } from './pairing-code.ts';
import {
  allowedText,
  pendingText,
  readAllowed,
  readPending,
  type PairedSender,
  type PairingRequest,
} from './pairing-file.ts';
import { head } from '../../core/cut.ts';

export type { PairedSender, PairingRequest } from './pairing-file.ts';

export const PAIRING_TTL_MS = 60 * 60_000;
const MAX_PENDING = 3;
/**
 * New codes in an hour of one channel, at most: a crowd of strangers must not make us write to all of them, nor push
 * out who asked before.
 */
const MAX_NEW = 30;
/** A stranger who keeps writing must not keep the disk busy. */
const SEEN_AGAIN_MS = 60_000;

const GOOD_COPY =
  'The file made no sense and was set aside; its last good copy is in its place. Changes made by hand since then are in the file that was set aside only.';
const NO_COPY =
  'The file made no sense and was set aside; nobody counts as let in by it. Mend it and move it back, or approve people anew.';

export interface PairingStoreDeps {
  /** `<stateDir>/credentials` */
  readonly dir: string;
  readonly log: Log;
  now(): number;
  random?(size: number): Uint8Array;
}

export type PairingWish = Pick<PairingRequest, 'id' | 'accountId' | 'chatId' | 'name' | 'handle'>;
export interface ChannelRequest extends PairingRequest {
  readonly channel: string;
}
export type PairingNews =
  | { readonly requested: ChannelRequest }
  | { readonly resolved: ChannelRequest; readonly decision: 'approved' | 'rejected' };

export interface PairingStore {
  /** Asks settle in the order they were made; a file that was changed by hand is read anew. */
  allowed(channel: string): Promise<readonly PairedSender[]>;
  /** The open request of this sender, made when there is none. Undefined: too many asked within the hour. */
  request(channel: string, wish: PairingWish): Promise<ChannelRequest | undefined>;
  /** Oldest first; expired ones are gone. */
  pending(channel?: string): Promise<readonly ChannelRequest[]>;
  /** Undefined: no such code, or not any more. */
  approve(
    channel: string,
    code: string,
    as?: { readonly owner?: boolean | undefined },
  ): Promise<ChannelRequest | undefined>;
  reject(channel: string, code: string): Promise<ChannelRequest | undefined>;
  /** False: they were not let in by a pairing. */
  revoke(channel: string, id: string): Promise<boolean>;
  subscribe(listener: (news: PairingNews) => void): () => void;
}

interface Known {
  readonly requests: readonly PairingRequest[];
  readonly allowed: readonly PairedSender[];
  readonly stamp: string;
}

export function createPairingStore(deps: PairingStoreDeps): PairingStore {
  return new PairingFiles(deps);
}

class PairingFiles implements PairingStore {
  readonly #deps: PairingStoreDeps;
  readonly #known = new Map<string, Known>();
  /** When the last new requests were made, by channel. */
  readonly #made = new Map<string, readonly number[]>();
  readonly #listeners = new Set<(news: PairingNews) => void>();
  readonly #oneByOne = createSerialQueue();

  constructor(deps: PairingStoreDeps) {
    this.#deps = deps;
  }

  allowed(channel: string): Promise<readonly PairedSender[]> {
    return this.#inTurn(channel, async ({ allowed }) => allowed);
  }

  request(channel: string, wish: PairingWish): Promise<ChannelRequest | undefined> {
    return this.#inTurn(channel, async ({ requests }) => {
      const open = requests.find(({ id }) => id === wish.id);
      const lately = (this.#made.get(channel) ?? []).filter((at) => Math.abs(this.#deps.now() - at) < PAIRING_TTL_MS);
      if (!open && lately.length >= MAX_NEW) return undefined;
      if (!open) this.#made.set(channel, [...lately, this.#deps.now()]);
      const request: PairingRequest = open
        ? { ...open, ...wish, lastSeenAt: this.#deps.now() }
        : {
            ...wish,
            code: newCode(
              requests.map(({ code }) => code),
              this.#deps.random,
            ),
            createdAt: this.#deps.now(),
            lastSeenAt: this.#deps.now(),
          };
      if (open && this.#deps.now() - open.lastSeenAt < SEEN_AGAIN_MS) return { channel, ...open };
      const others = requests.filter((one) => one !== open).sort((a, b) => a.lastSeenAt - b.lastSeenAt);
      await this.#keep(channel, { requests: [...others.slice(-(MAX_PENDING - 1)), request] });
      if (!open) this.#tell({ requested: { channel, ...request } });
      return { channel, ...request };
    });
  }

  async pending(channel?: string): Promise<readonly ChannelRequest[]> {
    const channels = channel === undefined ? await channelsIn(this.#deps.dir) : [channel];
    const all = await Promise.all(
      channels.map((one) =>
        this.#inTurn(one, async ({ requests }) => requests.map((request) => ({ channel: one, ...request }))),
      ),
    );
    return all.flat().sort((a, b) => a.createdAt - b.createdAt);
  }

  approve(
    channel: string,
    code: string,
    { owner }: { readonly owner?: boolean | undefined } = {},
  ): Promise<ChannelRequest | undefined> {
    return this.#resolve(channel, code, 'approved', owner);
  }

  reject(channel: string, code: string): Promise<ChannelRequest | undefined> {
    return this.#resolve(channel, code, 'rejected');
  }

  revoke(channel: string, id: string): Promise<boolean> {
    return this.#inTurn(channel, async ({ allowed }) => {
      const left = allowed.filter((one) => one.id.toLowerCase() !== id.trim().toLowerCase());
      if (left.length < allowed.length) await this.#keep(channel, { allowed: left });
      return left.length < allowed.length;
    });
  }

  subscribe(listener: (news: PairingNews) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** One thing at a time, each from what is on disk. */
  #inTurn<T>(channel: string, run: (state: Known) => Promise<T>): Promise<T> {
    return this.#oneByOne.run(async () => run(await this.#current(checked(channel))));
  }

  async #current(channel: string): Promise<Known> {
    const files = filesOf(this.#deps.dir, channel);
    const stamp = await stampOf(files);
    const before = this.#known.get(channel);
    const state =
      before?.stamp === stamp
        ? before
        : {
            stamp,
            requests: await this.#load(files.pending, readPending),
            allowed: await this.#load(files.allowed, readAllowed),
          };
    const live = {
      ...state,
      requests: state.requests.filter(({ createdAt }) => Math.abs(this.#deps.now() - createdAt) < PAIRING_TTL_MS),
    };
    this.#known.set(channel, live);
    return live;
  }

  /** A file that makes no sense is put aside, never written over; who was in its last good copy still is. */
  async #load<T>(path: string, read: (text: string) => readonly T[] | undefined): Promise<readonly T[]> {
    const damaged = ({ aside, restored }: Damage): void =>
      this.#deps.log.error('pairing.file', { path, aside, restored, fix: restored ? GOOD_COPY : NO_COPY });
    return (await readKept(path, { parse: read, now: this.#deps.now(), damaged })) ?? [];
  }

  async #keep(channel: string, patch: Partial<Pick<Known, 'requests' | 'allowed'>>): Promise<void> {
    const files = filesOf(this.#deps.dir, channel);
    if (patch.allowed) await writeKept(files.allowed, allowedText(patch.allowed));
    if (patch.requests) await writeKept(files.pending, pendingText(patch.requests));
    this.#known.set(channel, { ...this.#known.get(channel)!, ...patch, stamp: await stampOf(files) });
  }

  #tell(news: PairingNews): void {
    this.#listeners.forEach((listener) => listener(news));
  }

  #resolve(
    channel: string,
    code: string,
    decision: 'approved' | 'rejected',
    owner = false,
  ): Promise<ChannelRequest | undefined> {
    return this.#inTurn(channel, async ({ requests, allowed }) => {
      const found = byCode(requests, code);
      if (!found) return undefined;
      const others = allowed.filter(({ id }) => id !== found.id);
      await this.#keep(channel, {
        requests: requests.filter((one) => one !== found),
        ...(decision === 'approved'
          ? {
              allowed: [
                ...others,
                { id: found.id, name: found.name, at: this.#deps.now(), ...(owner ? { owner: true as const } : {}) },
              ],
            }
          : {}),
      });
      this.#tell({ resolved: { channel, ...found }, decision });
      return { channel, ...found };
    });
  }
}

const filesOf = (dir: string, channel: string) => ({
  pending: join(dir, `${channel}-pairing.json`),
  allowed: join(dir, `${channel}-allowFrom.json`),
});

/** Differs when a file was replaced or written by somebody else. */
async function stampOf(files: ReturnType<typeof filesOf>): Promise<string> {
  const found = await Promise.all([files.pending, files.allowed].map(statIfExists));
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
  throw new AppError('invalid', `"${head(channel, 64)}" is not the id of a channel.`);
}
