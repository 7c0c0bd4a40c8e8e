/**
 * The part of a message's timeline about each link and attachment: attempts, choice, skips with reason, duration,
 * contacted hosts.
 */
import { present } from '../../core/present.ts';
import type { Attempt, MediaDecision, Reached, Understanding } from '../../core/understanding.ts';
import type { Stage, StageStep } from '../rows.ts';

export function understandingStages({ links, media }: Understanding, at: number): Stage[] {
  return [
    ...media.flatMap((decision) =>
      decision.attachments.map(
        (file): Stage =>
          stage(decision.capability, at, {
            detail: file.name ?? `attachment ${file.attachmentIndex + 1}`,
            ms: file.ms,
            ok: file.chosen !== undefined,
            steps: [
              ...file.attempts.map((attempt) => step(attempt, file.chosen)),
              ...(file.reason && file.attempts.length === 0 ? [untried(decision, file.reason)] : []),
            ],
          }),
      ),
    ),
    // No links were searched for, so there is no address.
    ...(links && links.urls.length === 0
      ? [
          stage('link', at, {
            detail: 'links',
            ms: undefined,
            ok: false,
            steps: [{ what: WHO[links.outcome] ?? 'links', outcome: 'skipped', reason: links.outcome }],
          }),
        ]
      : []),
    ...(links?.urls ?? []).map(
      (url): Stage =>
        stage('link', at, {
          detail: url.url,
          ms: url.ms,
          ok: url.chosen !== undefined,
          steps: [
            ...(url.blocked ? [{ what: 'guard', outcome: 'blocked' as const, reason: url.blocked }] : []),
            ...(url.cached ? [{ what: 'cache', outcome: 'success' as const, chosen: true }] : []),
            ...url.attempts.map((attempt) => step(attempt, url.chosen)),
          ],
        }),
    ),
  ];
}

/** Which setting decided that no link was read. */
const WHO: Readonly<Record<string, string>> = { 'scope-deny': 'scope', disabled: 'settings', 'no-links': 'links' };

const stage = (
  name: string,
  at: number,
  { ms, ...facts }: { detail: string; ms: number | undefined; ok: boolean; steps: readonly StageStep[] },
): Stage => ({ stage: name, at, ...present({ ms }), ...facts });

function step(attempt: Attempt, chosen: Attempt | undefined): StageStep {
  const { outcome, reason, ms, reached } = attempt;
  const what =
    attempt.type === 'cli'
      ? (attempt.command ?? 'command')
      : [attempt.provider, attempt.model].filter(Boolean).join('/');
  return present({
    what,
    outcome,
    reason: reason || undefined,
    ms,
    chosen: chosen && same(attempt, chosen) ? true : undefined,
    reached: reached && reached.length > 0 ? reached.map(reachedText) : undefined,
  });
}

/** A decision from the journal contains the selected attempt twice. */
const same = (one: Attempt, other: Attempt): boolean => JSON.stringify(one) === JSON.stringify(other);

const untried = ({ capability }: MediaDecision, reason: string): StageStep => ({
  what: capability,
  outcome: 'skipped',
  reason,
});

const reachedText = ({ host, port, address, blocked }: Reached): string =>
  `${host}:${port}${blocked ? ` blocked: ${blocked}` : address && address !== host ? ` → ${address}` : ''}`;
