/**
 * Reads the links of a message: the guard lets them in one by one, in order; as many as allowed are read side by side.
 */
import { present } from '../../../core/present.ts';
import type { LinkUrlDecision } from '../../../core/understanding.ts';
import type { UnderstandingContext } from '../context.ts';
import { guardDecision } from './guard-decision.ts';
import { overBudget, runLink, type LinkJob, type RunLinkDeps } from './run-link.ts';
import type { LinkSettings } from './settings.ts';
import { shownUrl } from './shown-url.ts';

export interface ReadLink {
  readonly decision: LinkUrlDecision;
  /** What the chosen command printed. */
  readonly printed?: string;
}

interface ProcessScanner {
  readonly context: UnderstandingContext;
  readonly settings: LinkSettings;
  readonly deps: RunLinkDeps;
}

/** In the order of `urls`, whichever finishes first; those beyond `maxLinks` are left out. */
export async function readAll(
  urls: readonly string[],
  { context, settings, deps }: ProcessScanner,
): Promise<readonly ReadLink[]> {
  const budget = new AbortController();
  using _timer = deps.clock.setTimeout(() => budget.abort(), settings.budgetMs);
  const signal = AbortSignal.any([context.signal, budget.signal]);
  const results: (ReadLink | undefined)[] = [];
  const admitted = admit(urls, { context, settings, deps, signal, results });
  const worker = async (): Promise<void> => {
    for await (const { index, job } of admitted) results[index] = await read(job, deps);
  };
  await Promise.all(Array.from({ length: Math.min(settings.concurrency, urls.length) }, worker));
  return results.filter((result) => result !== undefined);
}

interface Gate extends ProcessScanner {
  readonly signal: AbortSignal;
  readonly results: (ReadLink | undefined)[];
}

/** Asks the guard only when somebody is free to read, so that its answer is fresh. What is blocked takes no place. */
async function* admit(
  urls: readonly string[],
  { context, settings, deps, signal, results }: Gate,
): AsyncGenerator<{ index: number; job: LinkJob }> {
  let taken = 0;
  for (const [index, url] of urls.entries()) {
    if (taken >= settings.maxLinks) return;
    const checked = await guardDecision(deps.guard, url, signal);
    if (checked.ok || checked.late) taken++;
    if (checked.ok) yield { index, job: { url, address: checked.address, context, settings, signal } };
    else if (checked.late) results[index] = { decision: { url, attempts: [overBudget(settings.entries[0]!)] } };
    else {
      context.log.debug('links.blocked', { runId: context.runId, url: shownUrl(url), why: checked.why });
      results[index] = { decision: { url, attempts: [], blocked: checked.why } };
    }
  }
}

async function read(job: LinkJob, deps: RunLinkDeps): Promise<ReadLink> {
  const begun = deps.clock.monotonic();
  const { attempts, chosen, text, cached } = await runLink(job, deps);
  const decision = present({
    url: job.url,
    attempts,
    chosen,
    cached: cached || undefined,
    ms: Math.round(deps.clock.monotonic() - begun),
  });
  return present({ decision, printed: text });
}
