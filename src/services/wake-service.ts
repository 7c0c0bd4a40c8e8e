/** Posts a system event to a session, for a client of the gateway or a stored authority. */
import { delegatedVia, nobodysAuthority, operatorAuthority, type Authority } from '../core/authority.ts';
import type { Principal } from '../core/principal.ts';
import type { SessionKey } from '../core/session-key.ts';
import { ownChat } from '../host/delivery-target.ts';
import type { Waker } from '../host/wake.ts';
import { uuid } from '../platform/ids.ts';

export interface WakeServiceDeps {
  readonly waker: Pick<Waker, 'nudge'>;
  defaultAgentId(): string;
  agentOf(key: SessionKey): string;
  mainKey(agentId: string): SessionKey;
  canonicalKey(raw: string): SessionKey;
}

export interface WakeCall {
  readonly text: string;
  readonly mode: 'now' | 'next-heartbeat';
  readonly sessionKey?: string;
  readonly principal?: Principal;
  readonly authority?: Authority;
}

export function createWakeService({ waker, defaultAgentId, agentOf, mainKey, canonicalKey }: WakeServiceDeps) {
  return async ({ text, mode, sessionKey: named, principal, authority }: WakeCall): Promise<void> => {
    const sessionKey = named === undefined ? undefined : canonicalKey(named);
    const agentId = sessionKey === undefined ? defaultAgentId() : agentOf(sessionKey);
    const homeKey = sessionKey ?? mainKey(agentId);
    const home = { agentId, sessionKey: homeKey, address: ownChat(homeKey) };
    await waker.nudge({
      agentId,
      sessionKey,
      text,
      mode,
      id: `wake:${uuid()}`,
      reason: 'wake',
      authority: delegatedVia(
        principal ? operatorAuthority(principal, home) : (authority ?? nobodysAuthority(home)),
        'wake',
      ),
      ifSkipped: 'note',
    });
  };
}
