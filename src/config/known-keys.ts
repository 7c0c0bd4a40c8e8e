/**
 * Settings other members of the product family know: they load without complaint even where nothing here reads them
 * yet.
 */

import type { JoinedRules } from './setting-rules.ts';

type Known = Pick<JoinedRules, 'own' | 'withinOwn'>;

const TOP_LEVEL = [
  '$schema',
  'acp',
  'approvals',
  'audio',
  'auth',
  'broadcast',
  'browser',
  'cli',
  'commands',
  'cron',
  'diagnostics',
  'discovery',
  'hooks',
  'mcp',
  'media',
  'memory',
  'messages',
  'nodeHost',
  'plugins',
  'routing',
  'secrets',
  'skills',
  'talk',
  'tools',
  'tts',
  'ui',
  'update',
  'vault',
  'web',
  'wizard',
];

/** `*` stands for one key. */
const NESTED = [
  'gateway.allowRealIpFallback',
  'gateway.auth.allowTailscale',
  'gateway.auth.rateLimit',
  'gateway.auth.trustedProxy',
  'gateway.channelHealthCheckMinutes',
  'gateway.channelMaxRestartsPerHour',
  'gateway.channelStaleEventThresholdMinutes',
  'gateway.handshakeTimeoutMs',
  'gateway.reload.deferralTimeoutMs',
  'gateway.controlUi.dangerouslyAllowHostHeaderOriginFallback',
  'gateway.controlUi.dangerouslyDisableDeviceAuth',
  'gateway.controlUi.root',
  'gateway.http.securityHeaders',
  'gateway.nodes.browser',
  'gateway.push',
  'gateway.remote.sshIdentity',
  'gateway.remote.sshTarget',
  'gateway.remote.tlsFingerprint',
  'gateway.remote.transport',
  'gateway.tailscale',
  'gateway.tls',
  'gateway.tools',
  'logging.maxFileBytes',
  'logging.redactPatterns',
  'messages.ackReaction',
  'messages.ackReactionScope',
  'messages.inbound',
  'messages.messagePrefix',
  'messages.removeAckAfterReply',
  'messages.statusReactions',
  'messages.suppressToolErrors',
  'messages.tts',
  'models.bedrockDiscovery',
  'models.pricing',
  'session.groupScope',
  'session.heartbeatIdleMinutes',
  'session.maintenance',
  'session.parentForkMaxTokens',
  'session.threadBindings',
  'session.typingIntervalSeconds',
  'session.typingMode',
  'session.writeLock',
  'agents.list.*.runtime',
  'bindings.*.acp',
  'bindings.*.comment',
  'bindings.*.type',
  'bindings.*.session',
  'bindings.*.match.roles',
];

/** Sections that are wholly ours although the family has them too: a name nobody knows there is a slip of the pen. */
const OWN = ['tools.links', 'tools.media'];

/** What the family has within them all the same. */
const WITHIN_OWN = ['tools.media.*.request', 'tools.media.models.*.request', 'tools.media.*.models.*.request'];

const split = (pattern: string): readonly string[] => pattern.split('.');
const [FAMILY, OURS, THEIRS] = [[...TOP_LEVEL, ...NESTED].map(split), OWN.map(split), WITHIN_OWN.map(split)];

/** True for a family setting and for everything inside one. */
export function isFamilyKey(path: readonly string[], { own, withinOwn }: Known): boolean {
  if (covers([...withinOwn.map(split), ...THEIRS], path)) return true;
  return covers(FAMILY, path) && !covers([...own.map(split), ...OURS], path);
}

const covers = (patterns: readonly (readonly string[])[], path: readonly string[]): boolean =>
  patterns.some(
    (pattern) => pattern.length <= path.length && pattern.every((part, index) => part === '*' || part === path[index]),
  );
