/** A session that goes on from a point of another: with its own transcript, a copy of the parent's up to there. */
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { uuid } from '../platform/ids.ts';
import { copyLines } from '../sessions/copy-lines.ts';
import type { SessionEntry, SessionPatch } from '../sessions/entry.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { BodyLine } from '../sessions/transcript-line.ts';

export interface BranchPoint {
  readonly entryId: string;
  /** The turn of that entry is left out. */
  readonly before: boolean;
}

export async function branchSession(
  key: string,
  { entryId, before }: BranchPoint,
  { sessions }: { readonly sessions: Sessions },
): Promise<{ key: string; entry: SessionEntry; copied: number }> {
  const parent = await sessions.existing(key);
  if (!parent) throw new AppError('not_found', `There is no session ${key}.`);
  const lines = await parent.transcript.readAll((all) => upTo(all, { entryId, before }));
  if (!lines) throw new AppError('not_found', `Session ${key} has no message ${entryId}; read its history again.`);
  const child = `agent:${parent.agentId}:web:${uuid().replaceAll('-', '').slice(0, 10)}`;
  const last = lines.at(-1)?.id;
  const facts: SessionPatch = {
    ...inherited(parent.entry),
    sessionId: uuid(),
    createdAt: Date.now(),
    branchedFrom: { key, sessionId: parent.entry.sessionId, ...present({ entryId: last }) },
    title: lines.length > 0 ? (parent.entry.label ?? parent.entry.title) : undefined,
  };
  // The transcript first: a death in between leaves a file that nobody names, never a session without its beginning.
  const transcript = await sessions.openTranscript(child, { sessionId: facts.sessionId!, updatedAt: 0 }, '');
  await copyLines(lines, transcript);
  return { key: child, entry: await sessions.patch(child, facts), copied: lines.length };
}

/** The lines up to the end of the turn of `entryId`, or up to its beginning; undefined: there is no such line. */
function upTo(lines: readonly BodyLine[], { entryId, before }: BranchPoint): readonly BodyLine[] | undefined {
  const at = lines.findIndex(({ id }) => id === entryId);
  if (at === -1) return undefined;
  const { turnId } = lines[at] as { readonly turnId?: string };
  const ofTurn = (line: BodyLine): boolean => turnId !== undefined && line.type === 'message' && line.turnId === turnId;
  if (before) {
    const first = lines.findIndex(ofTurn);
    return lines.slice(0, first === -1 ? at : first);
  }
  return lines.slice(0, Math.max(at, lines.findLastIndex(ofTurn)) + 1);
}

/** Settings go along. What a session was allowed beyond the configuration does not. */
const inherited = (entry: SessionEntry): SessionPatch =>
  present({
    thinkingLevel: entry.thinkingLevel,
    verboseLevel: entry.verboseLevel,
    reasoningLevel: entry.reasoningLevel,
    responseUsage: entry.responseUsage,
    providerOverride: entry.providerOverride,
    modelOverride: entry.modelOverride,
    modelProvider: entry.modelProvider,
    model: entry.model,
    contextTokens: entry.contextTokens,
    totalTokens: entry.totalTokens,
    exec: entry.exec,
    elevatedLevel: entry.elevatedLevel === 'off' ? ('off' as const) : undefined,
  });
