/** Which changed settings need a restart in place; everything else is read live, and channels begin anew by account. Pure data. */

const RESTART = ['gateway', 'plugins', 'logging', 'env', 'session.store', 'cron.store'];
/** Read at each request, or by nobody here. */
const LIVE = ['gateway.remote', 'gateway.reload', 'gateway.http', 'gateway.nodes', 'gateway.controlUi.allowedOrigins', 'gateway.controlUi.allowInsecureAuth'];

const covers = (prefix: string, path: string): boolean => path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);

export const needsRestart = (path: string): boolean => RESTART.some((prefix) => covers(prefix, path)) && !LIVE.some((prefix) => covers(prefix, path));
