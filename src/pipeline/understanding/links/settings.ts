/** What holds for an agent's links: its own settings over those of the root, and the defaults of both. Pure. */
import type { LinkEntry, LinksConfig, ScopeConfig } from '../../../config/understanding-config.ts';
import { scopeDecision, type ScopeDecision, type ScopePlace } from '../scope.ts';

/**
 * Every key the agent has replaces the root's as a whole; neither lists nor scopes are merged. Undefined when nobody
 * set any.
 */
export function mergeLinks(root: LinksConfig | undefined, agent: LinksConfig | undefined): LinksConfig | undefined {
  if (!root || !agent) return agent ?? root;
  const own = Object.fromEntries(Object.entries(agent).filter(([, value]) => value !== undefined));
  return { ...root, ...own };
}

export interface LinkSettings {
  readonly maxLinks: number;
  readonly budgetMs: number;
  readonly concurrency: number;
  readonly maxChars: number;
  readonly wrap: boolean;
  readonly egressProxy: boolean;
  readonly cacheMs: number;
  readonly scope: ScopeConfig | undefined;
  readonly entries: readonly LinkEntry[];
  timeoutMs(entry: LinkEntry): number;
}

/** Whether links are read in a conversation. */
export const linkScope = ({ scope }: LinkSettings, place: ScopePlace): ScopeDecision => scopeDecision(scope, place);

/** Undefined if link understanding is off, not configured, or without a command. */
export function linkSettings(config: LinksConfig | undefined): LinkSettings | undefined {
  const entries = config?.models ?? [];
  if (!config || config.enabled === false || entries.length === 0) return undefined;
  const {
    maxLinks = 3,
    timeoutSeconds = 30,
    budgetSeconds = 60,
    concurrency = 1,
    maxChars = 20_000,
    wrap = false,
    egressProxy = true,
    cacheSeconds = 0,
    scope,
  } = config;
  return {
    maxLinks,
    concurrency,
    maxChars,
    wrap,
    egressProxy,
    scope,
    entries,
    budgetMs: budgetSeconds * 1000,
    cacheMs: cacheSeconds * 1000,
    timeoutMs: (entry) => (entry.timeoutSeconds ?? timeoutSeconds) * 1000,
  };
}
