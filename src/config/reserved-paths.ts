/** First parts of paths that are the gateway's own: no webhook may take one. Pure data. */

/** The Control UI serves its page for these, and has one of that name or will. */
export const PAGE_NAMES: ReadonlySet<string> = new Set([
  'agents',
  'approvals',
  'channels',
  'chat',
  'config',
  'cron',
  'debug',
  'devices',
  'instances',
  'logs',
  'nodes',
  'overview',
  'processes',
  'sessions',
  'settings',
  'skills',
  'tools',
  'usage',
]);

export const RESERVED_PATHS: ReadonlySet<string> = new Set([
  'v1',
  'healthz',
  'readyz',
  'startupz',
  'avatar',
  'assets',
  '__clawdbot__',
  '__moltbot__',
  '__openclaw__',
  'ws',
  'api',
  ...PAGE_NAMES,
]);
