/** Finds transcripts on disk, and whether a session still uses each. */
import { basename, dirname, join } from 'node:path';
import { listDir, readTextIfExists, statIfExists } from '../../platform/files.ts';
import { storePath, transcriptPath } from '../../sessions/paths.ts';
import type { StoredFile } from './stored-file.ts';

/** `<sessionId>.jsonl`, or one that was renamed when its session was deleted: `<sessionId>.jsonl.deleted.<time>`. */
const TRANSCRIPT = /\.jsonl(?:\.deleted\.[\dTZ-]+)?$/;

/** Where the transcripts of the configured agents lie, and which of them are in use. */
export interface TranscriptPlace {
  readonly stateDir: string;
  readonly home: string;
  /** `session.store` of the configuration. */
  readonly store: string | undefined;
  agentIds(): readonly string[];
  /** Every session of every agent, with the agent it belongs to. */
  sessions(): Promise<readonly { readonly agentId: string; readonly sessionId: string }[]>;
}

/** What lies in the folders of the agents. */
export interface TranscriptFiles {
  readonly inUse: readonly StoredFile[];
  /** Their sessions were reset or deleted. */
  readonly left: readonly StoredFile[];
}

/**
 * Sessions are asked after the folders were read, so a transcript that came into use meanwhile counts as used. A folder
 * whose store names no session at all is taken for one whose store was lost: everything in it counts as used.
 */
export async function findTranscripts(place: TranscriptPlace): Promise<TranscriptFiles> {
  const stores = new Map(place.agentIds().map((agentId) => [agentId, storePath(place, agentId)]));
  const files: StoredFile[] = [];
  for (const folder of new Set([...stores.values()].map((store) => dirname(store))))
    files.push(...(await transcriptsIn(folder)));
  const used = new Set<string>();
  for (const { agentId, sessionId } of await place.sessions()) {
    const store = stores.get(agentId);
    if (store !== undefined) used.add(transcriptPath(store, sessionId));
  }
  // A store may name sessions of an agent that is not configured any more.
  for (const store of new Set(stores.values()))
    for (const sessionId of await namedIn(store)) used.add(transcriptPath(store, sessionId));
  const known = new Set([...used].map((path) => dirname(path)));
  const isUsed = ({ path }: StoredFile): boolean =>
    used.has(path) || (!known.has(dirname(path)) && basename(path).endsWith('.jsonl'));
  return { inUse: files.filter(isUsed), left: files.filter((file) => !isUsed(file)) };
}

const SESSION_ID = /"sessionId" ?: ?"([^"\\]+)"/g;

/** Ids of the sessions that the file of a store names. */
async function namedIn(store: string): Promise<readonly string[]> {
  const text = (await readTextIfExists(store)) ?? '';
  return [...text.matchAll(SESSION_ID)].map(([, id]) => id!);
}

async function transcriptsIn(folder: string): Promise<readonly StoredFile[]> {
  const found: StoredFile[] = [];
  for (const { name, kind } of await listDir(folder)) {
    if (kind !== 'file' || !TRANSCRIPT.test(name)) continue;
    const facts = await statIfExists(join(folder, name));
    if (facts) found.push({ path: join(folder, name), bytes: facts.size, modifiedAt: facts.modifiedAt });
  }
  return found;
}
