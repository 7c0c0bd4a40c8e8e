/** The target of a heartbeat report: decided before the turn, and never changed by it (P7). */
import { OWN_CHANNEL } from '../../core/product.ts';
import type { HeartbeatSettings } from './config.ts';
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { deliveryTarget, ownChat, type DeliveryTargetDeps } from '../../host/delivery-target.ts';

export interface TickTargetDeps extends DeliveryTargetDeps {
  readonly log: Log;
}

export interface TickTarget {
  readonly sessionKey: string;
  readonly entry: SessionEntry | undefined;
  /** Absent: another conversation than the configured one, which tells its own chat and no other. */
  readonly request?: Pick<HeartbeatSettings, 'target' | 'to' | 'accountId'> | undefined;
}

const INSIDE = OWN_CHANNEL;

/** The web chat of the session where nobody is to be told elsewhere, or nobody can be. */
export function tickTarget(
  { sessionKey, entry, request = { target: 'last', to: undefined, accountId: undefined } }: TickTarget,
  deps: TickTargetDeps,
): ChatAddress {
  const { target: channel, to, accountId } = request;
  if (channel === 'none' || channel === INSIDE) return ownChat(sessionKey);
  try {
    return deliveryTarget({ channel, to, accountId }, entry, deps) ?? ownChat(sessionKey);
  } catch (error) {
    const { code, message } = asAppError(error);
    if (code !== 'invalid') throw error;
    deps.log.warn('heartbeat.target', { sessionKey, channel, problem: message });
    return ownChat(sessionKey);
  }
}

/** A channel was meant and nothing can be told there, or nobody is to be told. */
export const misses = (
  { target }: Pick<HeartbeatSettings, 'target'>,
  { channel }: Pick<ChatAddress, 'channel'>,
): boolean => target === 'none' || (target !== 'last' && target !== INSIDE && channel === INSIDE);
