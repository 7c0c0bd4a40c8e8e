/**
 * Tells who listens when what is known of an account changed, once for changes that come together; and that messages
 * came, once for many.
 */
import type { KnownAccount } from '../../host/channel-services.ts';
import type { AccountState } from './account-state.ts';

export type AccountListener = (account: KnownAccount) => void;

/** Minimum interval of events in milliseconds, so that clients need not refresh for each message of a busy group. */
const MESSAGES_MS = 500;

export interface AccountEvents {
  /** Returns how to stop. */
  subscribe(listener: AccountListener): () => void;
  /** The state, which tells from now on of what changes it. */
  of(state: AccountState, account: KnownAccount): AccountState;
}

export function createAccountEvents(): AccountEvents {
  const listeners = new Set<AccountListener>();
  const pending = new Map<string, KnownAccount>();
  const flush = (): void => {
    const all = [...pending.values()];
    pending.clear();
    for (const account of all) for (const listener of listeners) listener(account);
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    of(state, account) {
      const publish = (): void => {
        if (pending.size === 0) setImmediate(flush);
        pending.set(`${account.channel}\n${account.accountId}`, account);
      };
      let later: NodeJS.Timeout | undefined;
      return {
        ...state,
        decided() {
          later ??= setTimeout(() => {
            later = undefined;
            publish();
          }, MESSAGES_MS).unref();
        },
        started: () => (state.started(), publish()),
        stopped: () => (state.stopped(), publish()),
        up: () => (state.up(), publish()),
        down: (...why) => (state.down(...why), publish()),
        found: (problems) => (state.found(problems), publish()),
        probed: (...probe) => (state.probed(...probe), publish()),
        report(facts) {
          const can = state.report(facts);
          const { alive: _alive, ...news } = facts;
          if (Object.keys(news).length > 0) publish();
          return can;
        },
      };
    },
  };
}
