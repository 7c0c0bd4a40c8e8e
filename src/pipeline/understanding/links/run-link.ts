/** One link through the configured commands, in order, until one prints something. */
import type { LinkEntry } from '../../../config/understanding-config.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { Attempt, Reached } from '../../../core/understanding.ts';
import { childEnv } from '../../../platform/child-env.ts';
import type { Clock } from '../../../platform/clock.ts';
import { exec } from '../../../platform/exec.ts';
import { scratchFolder } from '../../../platform/scratch-folder.ts';
import type { EgressProxy } from '../../../platform/net/egress/egress-proxy.ts';
import type { FetchRules, NetGuard } from '../../../platform/net/guard/guard.ts';
import type { UnderstandingContext } from '../context.ts';
import { guardDecision } from './guard-decision.ts';
import { commandLine, type CommandLine, type OwnPrograms } from './link-command.ts';
import type { LinkCache } from './link-cache.ts';
import { MAX_OUTPUT, readResult, type Reading } from './read-result.ts';
import type { LinkSettings } from './settings.ts';
import { shownUrl } from './shown-url.ts';

export interface RunLinkDeps {
  readonly guard: Pick<NetGuard, 'check'>;
  readonly proxy: Pick<EgressProxy, 'lease'>;
  /** What commands of ours may fetch besides the public internet. */
  rules(): FetchRules;
  /** The environment commands inherit, without what `childEnv` takes out. */
  vars(): Readonly<Record<string, string>>;
  readonly ownPrograms: OwnPrograms;
  readonly cache: LinkCache;
  readonly clock: Pick<Clock, 'monotonic' | 'setTimeout'>;
  /** Where each command gets an empty folder to work in. */
  readonly tempDir: string;
}

export interface LinkJob {
  readonly url: string;
  /** The address the guard has just allowed; the first command needs no second question. */
  readonly address: string;
  readonly context: UnderstandingContext;
  readonly settings: LinkSettings;
  /** Fires when the turn is stopped or the time of all links is used up. */
  readonly signal: AbortSignal;
}

export interface LinkResult {
  readonly attempts: readonly Attempt[];
  readonly chosen?: Attempt;
  /** What the chosen command printed. */
  readonly text?: string;
  readonly cached?: boolean;
}

/** Never rejects for what a command does. */
export async function runLink(job: LinkJob, deps: RunLinkDeps): Promise<LinkResult> {
  const { context, settings, url } = job;
  const attempts: Attempt[] = [];
  for (const entry of settings.entries) {
    if (job.signal.aborted) return { attempts: attempts.length > 0 ? attempts : [overBudget(entry)] };
    const { attempt, text, cached } = await tryEntry(entry, { job, deps, isFirst: attempts.length === 0 });
    attempts.push(attempt);
    if (text !== undefined) return present({ attempts, chosen: attempt, text, cached: cached || undefined });
    context.log.debug('links.attempt', {
      runId: context.runId,
      url: shownUrl(url),
      command: entry.command,
      outcome: attempt.outcome,
      reason: attempt.reason,
    });
  }
  context.log.debug('links.exhausted', { runId: context.runId, url: shownUrl(url), attempts: attempts.length });
  return { attempts };
}

/** The record of a link nobody had time for. */
export const overBudget = (entry: LinkEntry): Attempt => ({
  type: 'cli',
  command: entry.command,
  outcome: 'skipped',
  reason: 'budget: the time limit for links was reached',
});

interface Try {
  readonly job: LinkJob;
  readonly deps: RunLinkDeps;
  readonly isFirst: boolean;
}
interface Tried {
  readonly attempt: Attempt;
  readonly text?: string;
  readonly cached?: boolean;
}

async function tryEntry(entry: LinkEntry, { job, deps, isFirst }: Try): Promise<Tried> {
  const { url, context, settings } = job;
  const vars = deps.vars();
  const line = await commandLine(entry, {
    context: { ...context.template, LinkUrl: url },
    path: vars.PATH,
    own: deps.ownPrograms,
  });
  const key = JSON.stringify([url, line.command, line.args]);
  const known = settings.cacheMs > 0 ? deps.cache.get(key) : undefined;
  if (known !== undefined)
    return { attempt: { type: 'cli', command: entry.command, outcome: 'success', ms: 0 }, text: known, cached: true };
  const begun = deps.clock.monotonic();
  const { reading, reached } = await runGuarded(entry, line, { job, deps, isFirst }).catch(failedBefore);
  const attempt: Attempt = present({
    type: 'cli',
    command: entry.command,
    outcome: reading.outcome,
    ms: Math.round(deps.clock.monotonic() - begun),
    reason: reading.outcome !== 'success' ? reading.reason : undefined,
    reached: reached.length > 0 ? reached : undefined,
  });
  if (reading.outcome !== 'success') return { attempt };
  deps.cache.put(key, reading.text, settings.cacheMs);
  return { attempt, text: reading.text };
}

interface Ran {
  readonly reading: Reading;
  readonly reached: readonly Reached[];
}

/** No folder or no proxy for it: the command was not run, the next one may be. */
function failedBefore(error: unknown): Ran {
  if (!(error instanceof AppError)) throw error;
  return { reading: { outcome: 'failed', reason: error.message }, reached: [] };
}

/** A name may change its answer while an earlier command runs: later commands ask again. */
async function runGuarded(entry: LinkEntry, line: CommandLine, { job, deps, isFirst }: Try): Promise<Ran> {
  let { address } = job;
  if (!isFirst) {
    const checked = await guardDecision(deps.guard, job.url, job.signal);
    if (!checked.ok) return { reading: { outcome: 'skipped', reason: checked.why }, reached: [] };
    address = checked.address;
  }
  await using egress = job.settings.egressProxy ? await deps.proxy.lease() : undefined;
  const { context, settings, url, signal } = job;
  context.log.debug('links.run', {
    runId: context.runId,
    url: shownUrl(url),
    command: line.command,
    args: line.args.map((arg) => arg.replaceAll(url, shownUrl(url))),
  });
  context.progress(`Reading ${shownUrl(url)} with ${entry.command}`);
  await using folder = await scratchFolder('link', deps.tempDir);
  const timeoutMs = settings.timeoutMs(entry);
  const extra = {
    ...egress?.env,
    CLAWDBOT_LINK_PINNED_IP: address,
    CLAWDBOT_FETCH_RULES: JSON.stringify(deps.rules()),
  };
  const env = childEnv(deps.vars(), { pass: entry.passEnv, extra });
  const result = await exec({ ...line, env, cwd: folder.path, timeoutMs, maxOutputBytes: MAX_OUTPUT, signal });
  const reached = egress?.reached() ?? [];
  return { reading: withoutRefusal(readResult(result, timeoutMs), reached), reached };
}

/** A command that ignores status codes prints the proxy's refusal as if it were the page. */
function withoutRefusal(reading: Reading, reached: readonly Reached[]): Reading {
  if (reading.outcome !== 'success') return reading;
  const refused = reached.find(({ blocked }) => blocked !== undefined && reading.text.includes(blocked));
  return refused ? { outcome: 'failed', reason: `blocked: ${refused.blocked}` } : reading;
}
