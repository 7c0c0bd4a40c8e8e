/** The dependencies of exchanges: the journal, the sessions, and the execution of steps. */
import type { Log } from '../../core/log.ts';
import type { Receive } from '../../host/receive.ts';
import type { Runs } from '../../host/runs.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SessionEntry, SessionPatch } from '../../sessions/entry.ts';
import type { ExchangeRows } from './exchange-tables.ts';
import type { OwnAddressDeps } from './own-address.ts';

export interface ExchangesDeps extends OwnAddressDeps {
  readonly journal: Pick<Journal, 'inbound' | 'turns'> & { readonly exchanges: ExchangeRows };
  readonly receive: Receive;
  readonly runs: Pick<Runs, 'subscribe'>;
  /** By canonical key. */
  readonly sessions: {
    get(key: string): Promise<SessionEntry | undefined>;
    /** A taken label: `conflict`. */
    patch(key: string, patch: SessionPatch): Promise<unknown>;
    delete(key: string, options: { readonly archiveTranscript: boolean }): Promise<unknown>;
  };
  agentOf(key: string): string;
  /** Stops what runs and waits in a session. */
  abort(sessionKey: string): Promise<unknown>;
  /** `agents.defaults.subagents.archiveAfterMinutes`; 0: never. */
  archiveAfterMinutes(): number;
  checkpoint?(point: ExchangePoint, exchangeId: string): void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Around the write that begins one and the one that ends it; its steps have the moments of messages. */
type ExchangePoint = `exchange.${'open' | 'end'}.${'before' | 'after'}`;
