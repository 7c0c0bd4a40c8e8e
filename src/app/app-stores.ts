/** What outlives a run of the gateway: the journal, the sessions with their transcripts, and what writes them down. */
import { join } from 'node:path';
import { createSettler } from '../agent/turn/settle.ts';
import { createJournal } from '../journal/journal.ts';
import { journalRescued } from '../journal/rescued.ts';
import type { Config } from '../schema.ts';
import { createSessions } from '../sessions/sessions.ts';
import { createSessionStore } from '../sessions/store.ts';
import { storePath } from '../sessions/paths.ts';
import { createTranscripts } from '../sessions/transcripts.ts';

import type { AppDeps } from './app-deps.ts';
import type { KeyRules } from '../core/session-key.ts';

export interface StoresParts {
  readonly deps: Pick<AppDeps, 'env' | 'log' | 'clock' | 'config'>;
  /** How many transcripts may be held open at once. */
  readonly turnsFit: number;
  keyRules(): KeyRules;
  /** Whether a reply is sent as soon as it is on disk. */
  readonly begins: NonNullable<Parameters<typeof createJournal>[0]['begins']>;
}

export function createStores({ deps, turnsFit, keyRules, begins }: StoresParts) {
  const { env, log, clock } = deps;
  const config = (): Config => deps.config.current();
  const now = (): number => clock.now();
  const journal = createJournal({
    path: join(env.stateDir, 'journal.sqlite'),
    now,
    begins,
    onRescue: journalRescued(log),
  });
  const store = createSessionStore({
    log,
    clock,
    path: (agentId) => storePath({ stateDir: env.stateDir, home: env.home, store: config().session.store }, agentId),
    redo: { ...journal.redo, record: (redo) => journal.redo.record(redo, { sync: false }) },
  });
  const transcripts = createTranscripts({ log, now, mostHeld: turnsFit });
  const sessions = createSessions({
    store,
    transcripts,
    stateDir: env.stateDir,
    home: env.home,
    log,
    now,
    config: () => config().session,
    keyRules,
  });
  const settler = createSettler({ journal, transcripts, log, clock });
  return { journal, store, transcripts, sessions, settler };
}
