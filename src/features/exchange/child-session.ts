/** Sessions of sub-agents: created with the limits of their requester, stopped, and archived when idle. */
import { cut } from '../../core/cut.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { Exchange, ExchangeRow } from './exchange.ts';
import type { SessionPatch } from '../../sessions/entry.ts';
import type { ExchangesDeps } from './exchanges-deps.ts';
import { readSteps } from './read-steps.ts';

const MINUTE_MS = 60_000;

/** The session of a sub-agent, with the limits of whoever started it. */
export async function prepareChild(
  { targetKey, requesterKey, request, child }: Exchange,
  { sessions }: Pick<ExchangesDeps, 'sessions'>,
): Promise<void> {
  if (await sessions.get(targetKey)) return;
  const patch: SessionPatch = {
    spawnedBy: requesterKey,
    title: titleOf(child?.label ?? request),
    ...present({
      providerOverride: child?.model?.provider,
      modelOverride: child?.model?.modelId,
      thinkingLevel: child?.thinking,
    }),
  };
  try {
    await sessions.patch(targetKey, { ...patch, ...present({ label: child?.label || undefined }) });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    await sessions.patch(targetKey, patch); // somebody took the label meanwhile
  }
}

/** When the session of one that is over is archived; undefined: never. */
export function archiveAt(
  { kind, child }: Exchange,
  { archiveAfterMinutes, clock }: Pick<ExchangesDeps, 'archiveAfterMinutes' | 'clock'>,
): number | undefined {
  const minutes = archiveAfterMinutes();
  return kind === 'spawn' && child?.cleanup === 'keep' && minutes > 0 ? clock.now() + minutes * MINUTE_MS : undefined;
}

/** A sub-agent somebody still talks to is left alone. */
export async function archiveChild({ id, targetKey }: ExchangeRow, deps: ExchangesDeps): Promise<void> {
  const { sessions, clock } = deps;
  const { exchanges } = deps.journal;
  const entry = await sessions.get(targetKey);
  const rests = (entry?.updatedAt ?? 0) + deps.archiveAfterMinutes() * MINUTE_MS;
  if (entry && rests > clock.now()) return exchanges.end(id, rests);
  if (entry) await sessions.delete(targetKey, { archiveTranscript: true });
  await exchanges.end(id);
}

/** In the turn of its exchange. */
export async function stopChild({ id, targetKey }: ExchangeRow, deps: ExchangesDeps): Promise<void> {
  const { exchanges } = deps.journal;
  const exchange = await exchanges.find(id);
  if (exchange?.state !== 'open') return;
  await exchanges.end(id, archiveAt(exchange, deps)); // before it ends: nobody is told of it
  await deps.abort(targetKey);
}

/** The sub-agents that work for a session; a report is stopped with its session. */
export async function workingChildren(
  sessionKey: string,
  journal: ExchangesDeps['journal'],
): Promise<readonly ExchangeRow[]> {
  const begun = await journal.exchanges.of(sessionKey, 'spawn');
  const steps = await Promise.all(begun.map((one) => readSteps(one, journal)));
  return begun.filter((_, nth) => !steps[nth]![0]?.end);
}

const titleOf = (text: string): string => cut(text.replace(/\s+/g, ' ').trim(), 60);
