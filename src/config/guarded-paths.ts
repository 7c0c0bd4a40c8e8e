/** The settings that a turn may not change because they limit it; any path not listed as open is guarded. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { parseJson5 } from './json5.ts';
import { formatPath, isPlainObject, type Path } from './paths.ts';
import type { JoinedRules } from './setting-rules.ts';
import type { ConfigReading } from './store.ts';

/** A setting that stays as it is, and what it would have done. */
export interface GuardedChange {
  readonly path: string;
  readonly why: string;
}

type Row = readonly [pattern: string, why: string];

/** What a channel's own section and each of its accounts guard. */
const CHANNEL: readonly Row[] = [
  ['dmPolicy', 'says who may write'],
  ['allowFrom', 'says who may write'],
  ['groupPolicy', 'says who may write'],
  ['groupAllowFrom', 'says who may write'],
  ['dm', 'says who may write'],
  ['guilds', 'says who may write, and with which tools'],
  ['teams', 'says who may write, and with which tools'],
  ['channels', 'says who may write, and with which tools'],
  ['groups.*.allowFrom', 'says who may write'],
  ['groups.*.tools', 'limits the tools of a place'],
  ['groups.*.toolsBySender', 'limits the tools of a place'],
  ['groups.*.topics', 'says who may write, and with which tools'],
  ['groups.*.enabled', 'says where anybody is answered'],
  ['groups.*.skills', 'limits the agent in a place'],
  ['groups.*.systemPrompt', 'is an instruction in every later turn of a place'],
  ['groups', 'says which groups are answered'],
  ['enabled', 'opens or closes a channel'],
  ['allowBots', 'says who may write'],
  ['botToken', 'is a credential'],
  ['token', 'is a credential'],
  ['appToken', 'is a credential'],
  ['userToken', 'is a credential'],
  ['signingSecret', 'is a credential'],
  ['tokenFile', 'names a credential'],
  ['webhookUrl', 'is a way in'],
  ['webhookSecret', 'is a credential'],
  ['webhookPath', 'is a way in'],
  ['mode', 'is a way in'],
  ['apiRoot', 'is where credentials and messages are sent'],
  ['actions', 'says what the agent may do there'],
  ['capabilities', 'says whose presses of buttons count'],
  ['configWrites', 'says whether chats may change the configuration'],
  ['commands', 'opens commands'],
  ['customCommands', 'opens commands'],
];

/**
 * Guards and what they guard; of several that fit the first is told. What neither this nor `OPEN` names is guarded too.
 */
export const GUARDS: readonly Row[] = [
  ['tools.sandbox', 'limits sandboxed sessions'],
  ['tools.subagents', 'limits sub-agents'],
  ['tools.agentToAgent', 'says which agents may talk to each other'],
  ['tools.fs', 'says which files the tools reach'],
  ['tools.message', 'says where the agent may write'],
  ['tools.links', 'runs commands on links'],
  ['tools.media', 'runs commands and sends files to vendors'],
  ['tools', 'decides which tools there are'],
  ['agents.list.*.tools', 'limits the tools of an agent'],
  ['agents.list.*.subagents', 'limits sub-agents'],
  ['agents.list.*.skills', 'limits an agent'],
  ['agents.list.*.workspace', 'says which files an agent reaches'],
  ['agents.list.*.agentDir', 'says where an agent keeps its files'],
  ['agents.list.*.id', 'says which rules hold for whom'],
  ['agents.list.*.default', 'says which rules hold for whom'],
  ['agents.list', 'says which rules hold for whom'],
  ['agents.defaults.subagents', 'limits sub-agents'],
  ['agents.defaults.workspace', 'says which files agents reach'],
  ['agents.defaults.maxConcurrent', 'limits what turns use up'],
  ['agents.defaults.cliBackends', 'runs commands'],
  ['agents.defaults.memorySearch', 'sends the conversation elsewhere'],
  ...CHANNEL.flatMap(([key, why]): Row[] => [
    [`channels.*.${key}`, why],
    [`channels.*.accounts.*.${key}`, why],
  ]),
  ['channels.*.accounts', 'says which accounts there are, with their credentials'],
  ['channels', 'says who may write, and with which credentials'],
  ['bindings', 'says which agent, with which rules, answers whom'],
  ['broadcast', 'says which agents, with which rules, answer whom'],
  ['commands', 'says who may use which commands'],
  ['access', 'says who may reach what'],
  ['gateway.auth', 'opens the gateway'],
  ['gateway.bind', 'opens the gateway to others'],
  ['gateway.customBindHost', 'opens the gateway to others'],
  ['gateway.controlUi', 'opens the gateway to web pages'],
  ['gateway.http', 'opens the gateway over HTTP'],
  ['gateway.remote', 'is another gateway and its credentials'],
  ['gateway.trustedProxies', 'says whose word on addresses is believed'],
  ['gateway.reload', 'says whether changes by the owner take effect'],
  ['gateway', 'opens or closes the gateway'],
  ['plugins', 'runs code with the rights of the gateway'],
  ['security', 'says what may be fetched'],
  ['approvals', 'says who may approve commands'],
  ['session.sendPolicy', 'says where answers may go'],
  ['session.dmScope', 'keeps people apart'],
  ['session.scope', 'keeps people apart'],
  ['session.identityLinks', 'says who is who'],
  ['session.store', 'says where conversations are kept'],
  ['session.mainKey', 'says which conversation is the main one'],
  ['env', 'is handed to programs and holds secrets'],
  ['secrets', 'holds secrets'],
  ['auth', 'holds credentials'],
  ['models.providers.*.baseUrl', 'is where the conversation and the key are sent'],
  ['models.providers.*.apiKey', 'is a credential'],
  ['models.providers.*.headers', 'is sent with every request'],
  ['models.providers.*.api', 'is how the key is sent'],
  ['models.providers.*.authHeader', 'is how the key is sent'],
  ['models', 'says where conversations are sent'],
  ['logging.redactSensitive', 'keeps secrets out of the log'],
  ['logging.file', 'is a file that is written'],
  ['browser', 'says what the browser reaches'],
  ['discovery', 'makes the gateway known to others'],
  ['nodeHost', 'runs commands elsewhere'],
  ['mcp', 'runs commands'],
  ['skills', 'brings instructions and programs'],
];

const OPEN_CHANNEL = [
  'name',
  'historyLimit',
  'textChunkLimit',
  'maxLinesPerMessage',
  'chunkMode',
  'streaming',
  'blockStreaming',
  'blockStreamingCoalesce',
  'replyToMode',
  'replyToModeByChatType',
  'responsePrefix',
  'ackReaction',
  'markdown',
  'linkPreview',
  'unfurl',
  'reactionNotifications',
  'heartbeat',
  'groups.*.requireMention',
];

/** What a turn may change: it looks different afterwards, and may do nothing it could not do before. */
export const OPEN: readonly string[] = [
  '$schema',
  'meta',
  ...[
    'model',
    'imageModel',
    'models',
    'thinkingDefault',
    'contextTokens',
    'timeoutSeconds',
    'compaction',
    'envelopeTimestamp',
    'envelopeTimezone',
    'envelopeElapsed',
    'userTimezone',
    'bootstrapMaxChars',
    'skipBootstrap',
    'verboseDefault',
    'reasoningDefault',
    'timeFormat',
    'blockStreamingDefault',
    'blockStreamingBreak',
    'blockStreamingChunk',
    'blockStreamingCoalesce',
    'humanDelay',
    'typingMode',
    'typingIntervalSeconds',
  ].map((key) => `agents.defaults.${key}`),
  ...[
    'name',
    'description',
    'model',
    'identity',
    'thinkingDefault',
    'verboseDefault',
    'reasoningDefault',
    'groupChat',
    'humanDelay',
  ].map((key) => `agents.list.*.${key}`),
  ...OPEN_CHANNEL.flatMap((key) => [`channels.*.${key}`, `channels.*.accounts.*.${key}`]),
  ...[
    'responsePrefix',
    'messagePrefix',
    'ackReaction',
    'ackReactionScope',
    'removeAckAfterReply',
    'queue',
    'inbound',
    'groupChat',
  ].map((key) => `messages.${key}`),
  ...['reset', 'resetByType', 'resetByChannel', 'resetTriggers', 'agentToAgent'].map((key) => `session.${key}`),
  ...['language', 'maxChars', 'echoTranscript', 'echoFormat'].flatMap((key) =>
    ['image', 'audio', 'video'].map((kind) => `tools.media.${kind}.${key}`),
  ),
  'models.providers.*.models',
  'logging.level',
  'logging.consoleLevel',
  'logging.consoleStyle',
];

/** Entries that mean something by being there: a group that is listed is answered. */
const ENTRIES = [
  'agents.list.*',
  'models.providers.*',
  'channels.*',
  ...['channels.*', 'channels.*.accounts.*'].flatMap((at) => [`${at}.groups`, `${at}.groups.*`]),
  'channels.*.accounts',
  'channels.*.accounts.*',
];

const parts = (pattern: string): Path => pattern.split('.');
const entries = ENTRIES.map(parts);

interface Patterns {
  readonly guards: readonly { readonly pattern: Path; readonly why: string }[];
  readonly open: readonly Path[];
}

/** The owner of a section knows it better than the general list, and is asked first. */
const patternsOf = ({ guards, open }: Pick<JoinedRules, 'guards' | 'open'>): Patterns => ({
  guards: [...guards, ...GUARDS].map(([pattern, why]) => ({ pattern: parts(pattern), why })),
  open: [...open, ...OPEN].map(parts),
});

const fits = (pattern: Path, path: Path): boolean =>
  pattern.every((part, index) => index >= path.length || part === '*' || part === path[index]);
const covers = (pattern: Path, path: Path): boolean => pattern.length <= path.length && fits(pattern, path);

/**
 * What a change touches that a turn must leave alone; empty when it may happen. Looks at the configuration in force,
 * and at what is
 * written: a setting this version does not know yet would take effect with the next.
 */
export function guardedChanges(
  { before, after }: { readonly before: ConfigReading; readonly after: ConfigReading },
  rules: JoinedRules,
): readonly GuardedChange[] {
  const patterns = patternsOf(rules);
  if (before.config === undefined || after.config === undefined)
    return [{ path: '(file)', why: 'is not valid, so nobody can tell what would change' }];
  if (!isDeepStrictEqual(includesIn(before.raw), includesIn(after.raw)))
    return [{ path: '$include', why: 'brings in other files' }];
  const written = differences(before.written, after.written, patterns);
  const changed = [
    ...written,
    ...differences(before.config, after.config, patterns),
    ...underOldNames(before, after, patterns),
  ];
  return once([
    ...written.filter((path) => namesVariable(after.written, path)).map((path) => change(path, VARIABLE)),
    ...changed.flatMap((path) => guardOf(path, patterns)),
  ]);
}

/** What stands under an old name, also where the present name wins for now: it would count as soon as that one goes. */
function underOldNames(before: ConfigReading, after: ConfigReading, patterns: Patterns): readonly Path[] {
  const moves = [...before.moves, ...after.moves];
  return differences(before.parsed, after.parsed, patterns).flatMap((path) => {
    const move = moves.find(({ from }) => covers(from, path));
    return move ? [[...move.to, ...path.slice(move.from.length)]] : [];
  });
}

/**
 * The same for a merge patch on its own, where the rest of the file is not known: every setting it names counts as
 * changed.
 */
export function guardedSettings(patch: unknown, rules: JoinedRules): readonly GuardedChange[] {
  const patterns = patternsOf(rules);
  const strange = unsafeKey(patch);
  const named = differences({}, patch, patterns);
  return once([
    ...(strange === undefined
      ? []
      : [change([strange], 'is no setting: it reaches into other files, or into the machinery of the language')]),
    ...named.filter((path) => namesVariable(patch, path)).map((path) => change(path, VARIABLE)),
    ...named.flatMap((path) => guardOf(path, patterns)),
  ]);
}

const VARIABLE = 'would read a variable of the environment';

function guardOf(path: Path, { guards, open }: Patterns): readonly GuardedChange[] {
  if (open.some((pattern) => covers(pattern, path))) return [];
  const why = (guards.find(({ pattern }) => covers(pattern, path)) ?? guards.find(({ pattern }) => fits(pattern, path)))
    ?.why;
  return [change(path, why ?? 'is not among the settings a turn may change')];
}

const change = (path: Path, why: string): GuardedChange => ({ path: formatPath(path), why });
const once = (list: readonly GuardedChange[]): readonly GuardedChange[] =>
  list.filter((one, index) => list.findIndex(({ path }) => path === one.path) === index);

/** Every leaf that differs; lists by element, what is missing as if it were empty, and entries by their being there. */
function differences(before: unknown, after: unknown, patterns: Patterns, path: Path = []): readonly Path[] {
  const { guards, open } = patterns;
  if (isDeepStrictEqual(before, after)) return [];
  const [left, right] = [inside(before, after), inside(after, before)];
  if (left === undefined || right === undefined) return [path];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const isEntry = entries.some((entry) => entry.length === path.length && fits(entry, path));
  const isSection =
    !Array.isArray(before ?? after) && open.some((pattern) => pattern.length > path.length && fits(pattern, path));
  // Who takes a whole section away takes away what may stand in it.
  const goesWhole =
    after === undefined && guards.some(({ pattern }) => pattern.length >= path.length && fits(pattern, path));
  const here =
    (before === undefined) !== (after === undefined) && (isEntry || goesWhole || (names.length === 0 && !isSection))
      ? [path]
      : [];
  return [
    ...here,
    ...names.flatMap((name) => differences(own(left, name), own(right, name), patterns, [...path, name])),
  ];
}

/** Objects and lists by key; what is missing beside one counts as an empty one of its kind. */
function inside(value: unknown, other: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return isPlainObject(other) || Array.isArray(other) ? {} : undefined;
  if (Array.isArray(value))
    return isPlainObject(other) ? undefined : ({ ...value } as unknown as Record<string, unknown>);
  return isPlainObject(value) && !Array.isArray(other) ? value : undefined;
}

const own = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** Whoever reads the setting would read the variable. */
function namesVariable(root: unknown, path: Path): boolean {
  const at = path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    root,
  );
  return path.some(readsVariable) || holdsVariable(at);
}

const readsVariable = (text: string): boolean => /\$\{[A-Z_]/.test(text);

function holdsVariable(value: unknown): boolean {
  if (typeof value === 'string') return readsVariable(value);
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([key, item]) => readsVariable(key) || holdsVariable(item))
  );
}

/** Where a document names other files, and which. A document nobody can read names them all. */
function includesIn(raw: string): unknown {
  const parsed = parseJson5(raw.trim() === '' ? '{}' : raw);
  return parsed.ok ? collect(parsed.value, []) : raw;
}

function collect(value: unknown, path: Path): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$include' ? [[formatPath(path), item] as const] : collect(item, [...path, key]),
  );
}

/** Keys that are no settings: they reach into other files or into the machinery of the language. */
export function unsafeKey(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (['__proto__', 'constructor', 'prototype', '$include'].includes(key)) return key;
    const deeper = unsafeKey(item);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}
