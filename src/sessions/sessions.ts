/** The sessions: an entry and a transcript for each key. */
import type { Log } from '../core/log.ts';
import { agentOfKey, type KeyRules } from '../core/session-key.ts';
import { uuid } from '../platform/ids.ts';
import type { SessionConfig } from './config.ts';
import { copyLines, finishedLines } from './copy-lines.ts';
import type { SessionEntry, SessionPatch } from './entry.ts';
import { isStale, resetPolicy } from './freshness.ts';
import { storePath, transcriptPath } from './paths.ts';
import { discardTranscript, leaveTranscript, type Removal } from './remove-session.ts';
import type { SessionStore } from './store.ts';
import type { Transcript } from './transcript.ts';
import type { Transcripts } from './transcripts.ts';

export interface OpenSession {
  readonly key: string;
  readonly agentId: string;
  readonly entry: SessionEntry;
  readonly transcript: Transcript;
  readonly isNew: boolean;
}

/** From where a session is opened. */
export interface OpeningPlace {
  readonly channel: string;
  readonly cwd: string;
  readonly personal: boolean;
  /** A new session begins with these. */
  readonly facts?: SessionPatch;
  /** A new session begins with what was said in that one, as far as it is answered. */
  readonly parentKey?: string | undefined;
}

export interface SessionDeps {
  readonly store: SessionStore;
  readonly transcripts: Transcripts;
  readonly stateDir: string;
  readonly home: string;
  readonly log: Log;
  now(): number;
  config(): SessionConfig;
  keyRules(): KeyRules;
}

export type Sessions = ReturnType<typeof createSessions>;

/** What a reset leaves behind of the old entry: everything but identity and counters. */
const STARTS_OVER: SessionPatch = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  compactionCount: 0,
  costUsd: null,
  systemSent: null,
  abortedLastRun: null,
  sessionFile: null,
  title: null,
  branchedFrom: null,
};

interface Listed {
  readonly key: string;
  readonly entry: SessionEntry;
}

/** Which of the entries a list shows, by their marks; absent: marked or not. */
export interface EntryMarks {
  readonly archived?: boolean;
  readonly pinned?: boolean;
}

export function createSessions(deps: SessionDeps) {
  const places = sessionPlaces(deps);
  const { agentOf, pathOfStore, pathOf, openTranscript } = places;
  const fresh = (): SessionPatch => ({ ...STARTS_OVER, sessionId: uuid(), createdAt: deps.now() });
  const reset = (key: string): Promise<SessionEntry> => deps.store.patch(agentOf(key), key, fresh());

  return {
    agentOf,
    storePath: pathOfStore,
    transcriptPath: (key: string, entry: SessionEntry): string => pathOf(agentOf(key), entry),
    ready: (key: string): Promise<void> => deps.store.ready(agentOf(key)),
    peek: (key: string): SessionEntry | undefined => deps.store.peek(agentOf(key), key),
    get: (key: string): Promise<SessionEntry | undefined> => deps.store.get(agentOf(key), key),
    stage: (key: string, patch: SessionPatch) => deps.store.stage(agentOf(key), key, patch),
    reset,
    openTranscript,

    patch: (key: string, patch: SessionPatch): Promise<SessionEntry> =>
      deps.store.patch(agentOf(key), key, (known) =>
        known ? patch : { sessionId: uuid(), createdAt: deps.now(), ...patch },
      ),

    /**
     * The session a message goes to: as it is, new, or started over because its reset policy says so. A new one begins
     * with `facts`.
     */
    async open(key: string, place: OpeningPlace): Promise<OpenSession> {
      const agentId = agentOf(key);
      const known = await deps.store.get(agentId, key);
      const stale = known !== undefined && startsOver(known, { key, place, deps });
      if (stale) deps.log.info('session.reset', { sessionKey: key, why: 'policy' });
      const inherited = known === undefined ? await beginnings(key, place, { store: deps.store, ...places }) : {};
      // Whoever else opens or changes it at the same moment must not give it a second transcript.
      const entry =
        known && !stale
          ? known
          : await deps.store.patch(agentId, key, (now) =>
              now?.sessionId === known?.sessionId ? { ...fresh(), ...inherited, ...place.facts } : {},
            );
      return {
        key,
        agentId,
        entry,
        transcript: await openTranscript(key, entry, place.cwd),
        isNew: known === undefined || stale,
      };
    },

    /** The session's transcript when it has one. */
    async existing(key: string): Promise<OpenSession | undefined> {
      const agentId = agentOf(key);
      const entry = await deps.store.get(agentId, key);
      return entry && { key, agentId, entry, transcript: await openTranscript(key, entry, ''), isNew: false };
    },

    /**
     * Entries of one agent, newest first, at most `count`; a `session.store` without `{agentId}` holds those of all
     * agents.
     */
    list: (agentId: string, count = Infinity, marks: EntryMarks = {}): Promise<Listed[]> =>
      newestOf(deps.store, { agentId, count, marks, isOwn: (key) => agentOf(key) === agentId }),

    /** Removes a transcript the session had once; never the one it has. */
    async discard(key: string, sessionId: string): Promise<void> {
      const agentId = agentOf(key);
      if ((await deps.store.get(agentId, key))?.sessionId === sessionId) return;
      const path = transcriptPath(pathOfStore(agentId), sessionId);
      await discardTranscript(path, deps.transcripts);
    },

    /** Removes the entry; the transcript stays, renamed when asked. */
    async delete(key: string, archive: boolean): Promise<Removal> {
      const agentId = agentOf(key);
      const gone = await deps.store.delete(agentId, key);
      if (!gone) return { deleted: false, archived: [] };
      return leaveTranscript(pathOf(agentId, gone), { transcripts: deps.transcripts, archive, now: deps.now() });
    },
  };
}

/** Its reset policy says so. */
const startsOver = (
  known: SessionEntry,
  { key, place, deps }: { readonly key: string; readonly place: OpeningPlace; readonly deps: SessionDeps },
): boolean => place.personal && isStale(resetPolicy(deps.config(), key, place.channel), known, new Date(deps.now()));

/** Whose a session is, and where its files lie. */
function sessionPlaces(deps: SessionDeps) {
  const agentOf = (key: string): string => agentOfKey(key, deps.keyRules());
  const pathOfStore = (agentId: string): string =>
    storePath({ stateDir: deps.stateDir, home: deps.home, store: deps.config().store }, agentId);
  const pathOf = (agentId: string, entry: SessionEntry): string =>
    transcriptPath(pathOfStore(agentId), entry.sessionId);

  const openTranscript = (key: string, entry: SessionEntry, cwd: string): Promise<Transcript> =>
    deps.transcripts.open({ path: pathOf(agentOf(key), entry), sessionId: entry.sessionId, sessionKey: key, cwd });
  return { agentOf, pathOfStore, pathOf, openTranscript };
}

/** What a new session has from its parent: nothing where that is of another agent, or has answered nothing yet. */
async function beginnings(
  key: string,
  { parentKey, cwd }: OpeningPlace,
  { store, agentOf, openTranscript }: Pick<SessionDeps, 'store'> & ReturnType<typeof sessionPlaces>,
): Promise<SessionPatch> {
  if (parentKey === undefined || agentOf(parentKey) !== agentOf(key)) return {};
  const parent = await store.get(agentOf(parentKey), parentKey);
  if (!parent) return {};
  return inheritedFrom(
    { key: parentKey, sessionId: parent.sessionId, transcript: await openTranscript(parentKey, parent, '') },
    (sessionId) => openTranscript(key, { sessionId, updatedAt: 0 }, cwd),
  );
}

/**
 * The transcript first: a death in between leaves a file that nobody names, never a session without its beginning.
 */
async function inheritedFrom(
  parent: { readonly key: string; readonly sessionId: string; readonly transcript: Transcript },
  open: (sessionId: string) => Promise<Transcript>,
): Promise<SessionPatch> {
  const lines = await parent.transcript.readAll(finishedLines);
  if (lines.length === 0) return {};
  const sessionId = uuid();
  await copyLines(lines, await open(sessionId));
  return { sessionId, branchedFrom: { key: parent.key, sessionId: parent.sessionId, entryId: lines.at(-1)!.id } };
}

async function newestOf(
  store: SessionStore,
  {
    agentId,
    count,
    marks,
    isOwn,
  }: {
    readonly agentId: string;
    readonly count: number;
    readonly marks: EntryMarks;
    readonly isOwn: (key: string) => boolean;
  },
): Promise<{ key: string; entry: SessionEntry }[]> {
  if (Number.isFinite(count))
    return (await store.newest(agentId, count, (key, json) => isOwn(key) && bearsIn(json, marks))).map(
      ([key, entry]) => ({ key, entry }),
    );
  const rows: { key: string; entry: SessionEntry }[] = [];
  for await (const [key, entry] of store.entries(agentId))
    if (isOwn(key) && bears(entry, marks)) rows.push({ key, entry });
  return rows.sort((a, b) => b.entry.updatedAt - a.entry.updatedAt);
}

const bears = (entry: SessionEntry, { archived, pinned }: EntryMarks): boolean =>
  (archived === undefined || (entry.archived === true) === archived) &&
  (pinned === undefined || (entry.pinned === true) === pinned);

/** Read off the text: within a string a quote is escaped, so that no title looks like a mark. */
const bearsIn = (json: () => string, { archived, pinned }: EntryMarks): boolean =>
  (archived === undefined || /"archived": ?true/.test(json()) === archived) &&
  (pinned === undefined || /"pinned": ?true/.test(json()) === pinned);
