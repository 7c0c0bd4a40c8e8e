/**
 * The settings that need a restart in place. All others are read live; channels reconnect the changed accounts. Pure
 * data.
 */
import type { Feature } from './feature.ts';

const RESTART = ['gateway', 'plugins', 'logging', 'env', 'session.store'];
/** Read at each request, or by nobody here. */
const LIVE = [
  'gateway.remote',
  'gateway.reload',
  'gateway.http',
  'gateway.nodes',
  'gateway.controlUi.allowedOrigins',
  'gateway.controlUi.allowInsecureAuth',
];

const covers = (prefix: string, path: string): boolean =>
  path === prefix || path.startsWith(`${prefix}.`) || path.startsWith(`${prefix}[`);

/** Whether a setting needs one, with what features say of theirs. */
export function restartRules(features: readonly Pick<Feature, 'restartsOn'>[]): (path: string) => boolean {
  const restart = [...RESTART, ...features.flatMap(({ restartsOn = [] }) => restartsOn)];
  return (path) => restart.some((prefix) => covers(prefix, path)) && !LIVE.some((prefix) => covers(prefix, path));
}
