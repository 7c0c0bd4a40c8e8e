/** Finds the list of problems in a refused `config.set`. Pure. */
import type { ConfigIssue } from '../gateway/wire.ts';

export function issuesOf(cause: unknown): readonly ConfigIssue[] {
  const details = (cause as { details?: { issues?: unknown } } | undefined)?.details;
  if (!Array.isArray(details?.issues)) return [];
  return details.issues.filter(
    (issue): issue is ConfigIssue =>
      typeof issue === 'object' &&
      issue !== null &&
      (typeof issue.problem === 'string' || typeof issue.message === 'string'),
  );
}
