/**
 * Bindings that can never match, doors that are not as open as they say, and people who share a conversation without
 * knowing.
 */
import { formatPath } from './paths.ts';
import type { Findings } from './lint-tools.ts';
import type { Issue } from './store.ts';

type Section = Readonly<Record<string, unknown>>;

interface Bound {
  readonly agentId: string;
  readonly match: {
    readonly channel: string;
    readonly accountId?: string | undefined;
    readonly peer?: { readonly kind: string; readonly id: string } | undefined;
    readonly guildId?: string | undefined;
    readonly teamId?: string | undefined;
    readonly roles?: readonly string[] | undefined;
  };
}

/** The parts of a configuration that contain access rules and routes. */
export interface NamesPlaces {
  readonly bindings: readonly Bound[];
  readonly channels: Readonly<Record<string, Section>>;
  readonly session: { readonly dmScope: string };
}

/** What needs no knowledge of the channels themselves; the rest is `access.review` of a running gateway. */
export function lintChannels(config: NamesPlaces): Findings {
  return {
    errors: sections(config.channels).flatMap(opensNothing),
    warnings: [...config.bindings.flatMap((binding, index) => neverMatches(binding, index, config)), ...shared(config)],
  };
}

interface Placed {
  readonly path: readonly string[];
  readonly settings: Section;
}

/** Every account with what it inherits, and channels without accounts as they are. */
function sections(channels: NamesPlaces['channels']): readonly Placed[] {
  const { defaults = {}, ...own } = channels;
  return Object.entries(own).flatMap(([id, { accounts, ...section }]) => {
    const named = isSection(accounts)
      ? Object.entries(accounts).filter((one): one is [string, Section] => isSection(one[1]))
      : [];
    const base = { ...defaults, ...section };
    return named.length === 0
      ? [{ path: ['channels', id], settings: base }]
      : named.map(([account, over]) => ({
          path: ['channels', id, 'accounts', account],
          settings: { ...base, ...over },
        }));
  });
}

/** `open` without "*": at run time only those listed get in, which is not what the word says. */
function opensNothing({ path, settings }: Placed): readonly Issue[] {
  const { policy, policyKey, allowFrom, listKey } = directOf(settings);
  if (policy !== 'open' || allowFrom.includes('*')) return [];
  return [
    {
      path: formatPath([...path, ...listKey]),
      problem:
        `must contain "*", because ${formatPath([...path, ...policyKey])} is "open"; until then only those it ` +
        'lists get in',
      fix: `Add "*" to ${listKey.join('.')} if really writable by everybody, or use "pairing" or "allowlist".`,
    },
  ];
}

/** Some channels keep what is about direct chats under `dm`. */
function directOf(settings: Section) {
  const dm = isSection(settings['dm']) ? settings['dm'] : {};
  const nested = 'policy' in dm || 'allowFrom' in dm;
  const list = dm['allowFrom'] ?? settings['allowFrom'];
  return {
    policy: dm['policy'] ?? settings['dmPolicy'],
    policyKey: 'policy' in dm ? ['dm', 'policy'] : ['dmPolicy'],
    allowFrom: Array.isArray(list) ? list.map((entry) => String(entry).trim()) : [],
    listKey: nested ? ['dm', 'allowFrom'] : ['allowFrom'],
  };
}

function neverMatches({ match }: Bound, index: number, { bindings, channels }: NamesPlaces): readonly Issue[] {
  const path = `bindings[${index}]`;
  const { peer, guildId, teamId, accountId } = match;
  const twin = bindings.slice(0, index).findIndex((earlier) => sameMatch(earlier.match, match));
  return [
    ...(twin >= 0
      ? [
          {
            path,
            problem: `can never decide: bindings[${twin}] matches the same and comes first`,
            fix: 'Remove one of them.',
          },
        ]
      : []),
    ...(guildId !== undefined && teamId !== undefined && guildId.trim() !== teamId.trim()
      ? [
          {
            path: `${path}.match`,
            problem: 'can never match: a message comes from one guild or one team, not from both',
            fix: 'Keep guildId or teamId.',
          },
        ]
      : []),
    ...(peer && ['dm', 'direct'].includes(peer.kind) && (guildId ?? teamId) !== undefined
      ? [
          {
            path: `${path}.match.peer`,
            problem: 'can never match: direct chats belong to no guild or team',
            fix: 'Remove guildId and teamId, or use another kind of chat.',
          },
        ]
      : []),
    ...strangeAccount(accountId?.trim(), {
      path,
      section: channels[match.channel.trim().toLowerCase()],
      channel: match.channel,
    }),
  ];
}

/** A binding cannot match an account nobody configured. */
function strangeAccount(
  accountId: string | undefined,
  { path, section, channel }: { path: string; section: Section | undefined; channel: string },
): readonly Issue[] {
  if (accountId === undefined || accountId === '' || accountId === '*' || !section) return [];
  const named = isSection(section['accounts'])
    ? Object.keys(section['accounts']).map((id) => id.trim().toLowerCase())
    : [];
  const known = named.length === 0 ? ['default'] : named;
  if (known.includes(accountId)) return [];
  return [
    {
      path: `${path}.match.accountId`,
      problem: `"${accountId}" is no account of ${channel} that is configured, so it matches nothing`,
      fix: `Use one of: ${known.join(', ')}; or leave it out for all of them.`,
    },
  ];
}

const sameMatch = (one: Bound['match'], other: Bound['match']): boolean => spelled(one) === spelled(other);

const spelled = ({ channel, accountId, peer, guildId, teamId, roles = [] }: Bound['match']): string =>
  JSON.stringify([
    channel.trim().toLowerCase(),
    accountId?.trim().replace(/^\*$/, '') ?? '',
    peer ? [peer.kind.replace('dm', 'direct'), peer.id.trim()] : null,
    guildId?.trim() ?? null,
    teamId?.trim() ?? null,
    [...roles].sort(),
  ]);

/** Several people in one conversation read along with each other. */
function shared({ channels, session }: NamesPlaces): readonly Issue[] {
  if (session.dmScope !== 'main') return [];
  const open = sections(channels).find(({ settings }) => {
    const { policy, allowFrom } = directOf(settings);
    return policy !== 'disabled' && new Set(allowFrom).size > 1;
  });
  if (!open) return [];
  return [
    {
      path: 'session.dmScope',
      problem:
        `is "main", and ${formatPath(open.path)} lets several people write: they share one conversation and ` +
        'can learn what the others said',
      fix: 'Use "per-channel-peer", or session.identityLinks where the ids belong to one person.',
    },
  ];
}

const isSection = (value: unknown): value is Section =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
