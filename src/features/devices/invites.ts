/** One-time secrets that let one device each in as a node. They are kept in memory: a restart ends them all. */
import type { Clock } from '../../platform/clock.ts';
import { randomToken, sha256Hex } from '../../platform/ids.ts';

/** A secret as whoever made it sees it, once. */
export interface Invite {
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

export interface Invites {
  create(): Invite;
  /**
   * True for the first device that shows the secret, and again for that device while the secret lives: its answer may
   * have been lost.
   */
  take(presented: { readonly deviceId: string; readonly secret: string }): boolean;
  /** Ends those the device has: it was sent away. */
  end(deviceId: string): void;
}

const INVITE_MINUTES = 10;
/** Open at once; beyond that the oldest ends. */
const MAX_OPEN = 20;

interface Open {
  readonly expiresAtMs: number;
  deviceId?: string;
}

export function createInvites({ now }: Pick<Clock, 'now'>): Invites {
  /** By hash: what is compared is no secret, and its place tells nothing. */
  const open = new Map<string, Open>();
  return {
    create() {
      for (const [hash, { expiresAtMs }] of open) if (expiresAtMs <= now()) open.delete(hash);
      while (open.size >= MAX_OPEN) open.delete(open.keys().next().value!);
      const secret = randomToken();
      const expiresAtMs = now() + INVITE_MINUTES * 60_000;
      open.set(sha256Hex(secret), { expiresAtMs });
      return { secret, expiresAtMs };
    },
    take({ deviceId, secret }) {
      const invite = open.get(sha256Hex(secret));
      if (!invite || invite.expiresAtMs <= now()) return false;
      if (invite.deviceId !== undefined && invite.deviceId !== deviceId) return false;
      invite.deviceId = deviceId;
      return true;
    },
    end(deviceId) {
      for (const [hash, invite] of open) if (invite.deviceId === deviceId) open.delete(hash);
    },
  };
}
