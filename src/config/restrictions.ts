/**
 * Settings that limit somebody and that nothing here reads, or that are misspelt: passed over, they would leave open
 * what they were written to close.
 */
import { formatPath, getAt, isPlainObject, type Path } from './paths.ts';
import type { JoinedRules, Restriction } from './setting-rules.ts';
import type { Issue } from './store.ts';
import { nearest } from './suggest.ts';

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) ? value.length === 0 : isPlainObject(value) && Object.keys(value).length === 0);
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    isEmpty(value) || values.includes(value);
const bySender = {
  limits: 'the tools of single senders',
  fix: 'Write it where they write: `channels.<id>.groups.<group>.toolsBySender`, or give them an agent of their own.',
};

const RESTRICTIONS: readonly Restriction[] = [
  { at: 'tools.toolsBySender', ...bySender },
  { at: 'agents.list.*.tools.toolsBySender', ...bySender },
  { at: 'agents.defaults.tools', limits: 'the tools of all agents', fix: 'Write it under `tools`.' },
  {
    at: 'agents.defaults.skills',
    limits: 'the skills of all agents',
    fix: 'Write it at each agent: `agents.list[].skills`.',
  },
  {
    at: 'commands.allowFrom',
    limits: 'who may use commands',
    fix: 'Name them in `channels.<id>.allowFrom`, and the owner in `commands.ownerAllowFrom`.',
  },
  {
    at: 'bindings.*.type',
    limits: 'what answers there',
    fix: 'Only ordinary bindings are read; remove this one.',
    harmless: oneOf('route'),
  },
  {
    at: 'bindings.*.acp',
    limits: 'what answers there',
    fix: 'No agent of another program can be bound here; remove this binding.',
  },
  {
    at: 'agents.list.*.runtime.type',
    limits: 'what answers in its place',
    fix: 'Agents run inside the gateway; remove `runtime`.',
    harmless: oneOf('embedded'),
  },
  { at: 'gateway.tools.deny', limits: 'what can be called over HTTP', fix: 'Write it in `tools.deny`.' },
  { at: 'gateway.tools.allow', limits: 'what can be called over HTTP', fix: 'Write it in `tools.allow`.' },
  {
    at: 'gateway.tls.enabled',
    limits: 'who can listen on the line',
    fix: 'Put a proxy with TLS in front of the gateway, or use a tunnel, and remove it.',
  },
  ...['channels.*', 'channels.*.accounts.*'].flatMap((at): readonly Restriction[] => [
    {
      at: `${at}.contextVisibility`,
      limits: 'whose words the agent is shown',
      fix: 'Everybody let in to a conversation is shown; remove it.',
      harmless: oneOf('all'),
    },
    { at: `${at}.direct`, limits: 'single direct chats', fix: 'Use `allowFrom` and `dmPolicy`.' },
  ]),
];

/** Names that limit somebody, by where they stand: something near one of them was meant to be it. */
const NAMES: readonly (readonly [at: string, names: readonly string[]])[] = [
  ...[
    'tools',
    'agents.list.*.tools',
    'tools.byProvider.*',
    'agents.list.*.tools.byProvider.*',
    'tools.sandbox.tools',
    'tools.subagents.tools',
  ].map((at) => [at, ['allow', 'deny', 'profile']] as const),
  ...['tools.fs', 'agents.list.*.tools.fs'].map((at) => [at, ['workspaceOnly']] as const),
  ...['channels.*', 'channels.*.accounts.*'].map(
    (at) => [at, ['dmPolicy', 'allowFrom', 'groupPolicy', 'groupAllowFrom', 'configWrites']] as const,
  ),
  ['channels.*.groups.*', ['requireMention', 'allowFrom', 'toolsBySender']],
  ['channels.*.guilds.*', ['users', 'roles', 'requireMention', 'toolsBySender']],
  ['channels.*.guilds.*.channels.*', ['users', 'roles', 'requireMention', 'toolsBySender']],
  ['channels.*.channels.*', ['users', 'requireMention', 'toolsBySender']],
  ['commands', ['ownerAllowFrom', 'useAccessGroups']],
  ['access', ['open']],
  ['gateway.controlUi', ['allowedOrigins']],
  ['session', ['sendPolicy', 'dmScope']],
];

/** `value`: the file in present names. */
export function unreadRestrictions(
  value: unknown,
  { unread: further, limiting }: Pick<JoinedRules, 'unread' | 'limiting'>,
): readonly Issue[] {
  const unread = [...RESTRICTIONS, ...further].flatMap(({ at, limits, fix, harmless = isEmpty }) =>
    placesOf(value, at)
      .filter((path) => !harmless(getAt(value, path)))
      .map((path) => ({
        path: formatPath(path),
        problem: `limits ${limits}, which this gateway does not read; it would stay open`,
        fix,
      })),
  );
  const misspelt = [...NAMES, ...limiting].flatMap(([at, names]) =>
    placesOf(value, at).flatMap((path) => {
      const section = getAt(value, path);
      return isPlainObject(section) ? Object.keys(section).flatMap((key) => slip([...path, key], names)) : [];
    }),
  );
  return [...unread, ...misspelt];
}

function slip(path: Path, names: readonly string[]): readonly Issue[] {
  const key = path.at(-1)!;
  const meant = names.includes(key) ? undefined : nearest(key, names);
  return meant === undefined
    ? []
    : [
        {
          path: formatPath(path),
          problem: `is not known, and "${meant}", which it is near to, limits somebody; it would stay open`,
          fix: `Did you mean "${formatPath([...path.slice(0, -1), meant])}"?`,
        },
      ];
}

function placesOf(value: unknown, at: string): readonly Path[] {
  return at.split('.').reduce<readonly Path[]>(
    (paths, part) =>
      paths.flatMap((path) => {
        const here = getAt(value, path);
        if (part !== '*') return isPlainObject(here) && Object.hasOwn(here, part) ? [[...path, part]] : [];
        return Array.isArray(here)
          ? here.map((_, index) => [...path, String(index)])
          : isPlainObject(here)
            ? Object.keys(here).map((key) => [...path, key])
            : [];
      }),
    [[]],
  );
}
