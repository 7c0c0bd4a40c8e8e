/** The gateway's `sessions` service: lists, changes, resets, deletes and compacts sessions. */
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { canonicalSessionKey, mainSessionKey } from '../core/session-key.ts';
import type { SessionService } from '../host/session-service.ts';
import type { EndStopped } from '../pipeline/end-stopped.ts';
import type { TurnLanes } from '../pipeline/turn-lanes.ts';
import { keyRules, type RoutingRules } from '../pipeline/routing/route.ts';
import { readTail } from '../platform/append-file.ts';
import { copyIfExists, readTextIfExists, writeFileAtomic } from '../platform/files.ts';
import type { SessionEntry } from '../sessions/entry.ts';
import { parseLine } from '../sessions/transcript-line.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Transcripts } from '../sessions/transcripts.ts';
import { branchSession } from './branch-session.ts';

/** Lists read the end of many transcripts; a line with a large picture is not worth reading for that. */
const TAIL_BYTES = 32 * 1024;

export interface SessionServiceDeps {
  readonly sessions: Sessions;
  readonly transcripts: Transcripts;
  readonly lanes: TurnLanes;
  endStopped: EndStopped;
  rules(): RoutingRules;
  agentIds(): readonly string[];
  count(agentId: string): Promise<number>;
  /** What belongs to a session besides its transcript is forgotten. */
  forget(key: string): Promise<void>;
  compact(
    key: string,
    instructions: string | undefined,
    going: AbortSignal,
  ): Promise<{ compacted: boolean; reason?: string }>;
}

export function createSessionService(deps: SessionServiceDeps): SessionService {
  const { sessions, lanes } = deps;
  const canonicalKey = (raw: string): string => canonicalSessionKey(raw, keyRules(deps.rules()));

  return {
    canonicalKey,
    list: (filter) => listSessions(filter, deps),
    get: (key) => sessions.get(canonicalKey(key)),
    async count(agentId) {
      const counts = await Promise.all((agentId ? [agentId] : deps.agentIds()).map((id) => deps.count(id)));
      return counts.reduce((sum, n) => sum + n, 0);
    },
    storePath: (agentId) => sessions.storePath(agentId ?? deps.rules().defaultAgentId),

    async patch(raw, patch) {
      const key = canonicalKey(raw);
      if (patch.label) {
        const [taken] = (await listSessions({ label: patch.label }, deps)).filter((row) => row.key !== key);
        if (taken)
          throw new AppError('conflict', `The label "${patch.label}" is in use by ${taken.key}. Choose another one.`);
      }
      return sessions.patch(key, patch);
    },

    async reset(raw) {
      const key = canonicalKey(raw);
      return stopFor(key, () => sessions.reset(key), deps);
    },

    branch: (raw, from) => branchSession(canonicalKey(raw), from, deps),

    async delete(raw, { archiveTranscript }) {
      const key = canonicalKey(raw);
      const agentId = sessions.agentOf(key);
      if (key === mainSessionKey(agentId, keyRules(deps.rules())))
        throw new AppError('invalid', 'The main session cannot be deleted; reset it instead.');
      // First what hangs on it: a deletion that is cut off can be asked for again.
      const work = async () => {
        await deps.forget(key);
        return sessions.delete(key, archiveTranscript);
      };
      return stopFor(key, work, deps);
    },

    compact(raw, { maxLines, instructions }) {
      const key = canonicalKey(raw);
      return lanes.exclusive(key, (going) =>
        maxLines === undefined ? deps.compact(key, instructions, going) : keepLast(key, maxLines, deps),
      );
    },

    tail: async (raw, limit) => tailOf(canonicalKey(raw), limit, sessions),
  };
}

async function listSessions(
  filter: Parameters<SessionService['list']>[0] = {},
  { sessions, agentIds }: SessionServiceDeps,
): Promise<{ key: string; entry: SessionEntry }[]> {
  const agents = filter.agentId ? [filter.agentId] : agentIds();
  const all =
    filter.activeSince === undefined &&
    filter.label === undefined &&
    filter.spawnedBy === undefined &&
    !filter.search?.trim();
  const marks = present({ archived: filter.archived, pinned: filter.pinned });
  const rows = (await Promise.all(agents.map((id) => sessions.list(id, all ? filter.limit : undefined, marks)))).flat();
  const needle = filter.search?.trim().toLowerCase();
  return rows
    .filter(
      ({ key, entry }) =>
        (filter.activeSince === undefined || entry.updatedAt >= filter.activeSince) &&
        (filter.label === undefined || entry.label === filter.label) &&
        (filter.spawnedBy === undefined || entry.spawnedBy === filter.spawnedBy) &&
        (!needle ||
          [key, entry.label, entry.displayName, entry.title, entry.subject, entry.sessionId].some((text) =>
            text?.toLowerCase().includes(needle),
          )),
    )
    .sort((a, b) => b.entry.updatedAt - a.entry.updatedAt)
    .slice(0, filter.limit ?? Infinity);
}

/** Stops what runs, then does `work` before any message that comes meanwhile. */
async function stopFor<R>(key: string, work: () => Promise<R>, { lanes, endStopped }: SessionServiceDeps): Promise<R> {
  const { removed } = lanes.abort(key);
  const [done] = await Promise.all([lanes.exclusive(key, work), endStopped(removed)]);
  return done;
}

/** Keeps the last lines unchanged; the old file is kept next to it as `.bak`. */
async function keepLast(
  key: string,
  maxLines: number,
  { sessions, transcripts }: SessionServiceDeps,
): ReturnType<SessionService['compact']> {
  const session = await sessions.existing(key);
  if (!session) throw new AppError('not_found', `There is no session ${key}.`);
  const { path } = session.transcript;
  await transcripts.forget(path);
  const lines = ((await readTextIfExists(path)) ?? '').split('\n').filter(Boolean);
  const header = lines[0]?.includes('"type":"session"') ? [lines[0]] : [];
  const body = lines.slice(header.length);
  if (body.length <= maxLines) return { compacted: false, kept: body.length };
  const archived = `${path}.${Date.now()}.bak`;
  await copyIfExists(path, archived);
  await writeFileAtomic(path, `${[...header, ...body.slice(-maxLines)].join('\n')}\n`);
  await sessions.patch(key, { totalTokens: null });
  return { compacted: true, kept: maxLines, archived };
}

/** The newest messages, oldest first, from the end of the file. */
async function tailOf(
  key: string,
  limit: number,
  sessions: Pick<Sessions, 'get' | 'transcriptPath'>,
): ReturnType<SessionService['tail']> {
  const entry = await sessions.get(key);
  const end = entry && (await readTail(sessions.transcriptPath(key, entry), TAIL_BYTES));
  return (end?.text ?? '')
    .split('\n')
    .map(parseLine)
    .flatMap((line) => (line?.type === 'message' ? [line.message] : []))
    .slice(-limit);
}
