/** `channels list|status|logout|capabilities|restart`: lists channels and their status. */
import type { ChannelPlugin } from '../../core/channel.ts';
import { present } from '../../core/present.ts';
import { accountsOf, type ChannelSources } from '../../plugins/channel-accounts.ts';
import { sourcesOf } from '../../plugins/channel-credentials.ts';
import { problemsOf, type AccountFacts, type ChannelFacts } from '../channel-facts.ts';
import { openRegistry, pickChannel } from '../channel-registry.ts';
import { listing } from '../columns.ts';
import type { Call } from '../command.ts';
import { ago } from '../durations.ts';
import { createSpinner } from '../spinner.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

export async function channelsList({ io, flags }: Call): Promise<void> {
  await using registry = await openRegistry(io.env());
  const { channels, sources, broken } = registry;
  if (flags.has('json'))
    return io.out(
      JSON.stringify(
        channels.map((plugin) => ({
          id: plugin.id,
          label: plugin.label,
          blurb: plugin.blurb,
          aliases: plugin.aliases ?? [],
          accounts: accountsSeen(plugin, sources),
        })),
        null,
        2,
      ),
    );
  io.out(
    listing(
      ['channel', 'state', 'what it is'],
      channels.map((plugin) => [plugin.id, stateOf(plugin, sources), plugin.blurb ?? plugin.label]),
      'There are no channels besides the web chat.',
    ),
  );
  for (const problem of broken) io.err(`warning: ${problem}`);
}

/** One word or a few on what configuration says. */
export function stateOf(plugin: ChannelPlugin, sources: ChannelSources): string {
  const accounts = accountsOf(plugin, sources);
  if (accounts.length === 0) return 'not configured';
  const on = accounts.filter(({ enabled }) => enabled);
  if (on.length === 0) return 'disabled';
  const missing = on.filter(({ configured }) => !configured);
  if (missing.length > 0) return `incomplete (${missing.map(({ accountId }) => accountId).join(', ')})`;
  return on.length === 1 && on[0]!.accountId === 'default'
    ? 'configured'
    : `configured (${on.map(({ accountId }) => accountId).join(', ')})`;
}

/** Where secrets come from, never what they are. */
const accountsSeen = (plugin: ChannelPlugin, sources: ChannelSources) =>
  accountsOf(plugin, sources).map(({ accountId, enabled, configured, place }) => ({
    accountId,
    enabled,
    configured,
    credentialSources: sourcesOf(place),
  }));

/** A probe may take its ten seconds. */
const TIMEOUT_MS = 45_000;

export async function channelsStatus(call: Call): Promise<number> {
  const { io, flags } = call;
  using spinner = createSpinner(io);
  if (flags.has('probe')) spinner.say('testing connections');
  const answer = await (await call.gateway()).request<ChannelFacts>(
    'channels.status',
    { probe: flags.has('probe') },
    { timeoutMs: TIMEOUT_MS },
  );
  spinner.rest();
  if (flags.has('json')) io.out(JSON.stringify(answer, null, 2));
  else io.out(statusText(answer));
  return 0;
}

export function statusText({ channelOrder, channels, channelAccounts }: ChannelFacts): string {
  const rows = channelOrder.flatMap((id) =>
    (channelAccounts[id] ?? []).map((account) => [id, account.accountId, wordFor(account), facts(account)]),
  );
  const problems = problemsOf({ channelOrder, channels, channelAccounts });
  const notes = problems.map(({ where, kind, message, fix }) => `${where} ${kind}: ${message}${fix ? ` ${fix}` : ''}`);
  const idle = channelOrder.filter((id) => (channelAccounts[id] ?? []).length === 0);
  const failed = channelOrder
    .filter((id) => channels[id]?.ok === false)
    .map((id) => channels[id]!.summary)
    .filter((line) => !problems.some(({ message }) => line.includes(message)));
  return [
    listing(
      ['channel', 'account', 'state', 'facts'],
      rows,
      `No channel is configured; only the web chat is available. Run \`${OWN_COMMAND} channels add --help\` ` +
        'for how to add one.',
    ),
    ...(idle.length === 0 ? [] : [`Not configured: ${idle.join(', ')}.`]),
    ...failed.map((line) => `degraded: ${line}`),
    ...notes,
  ].join('\n');
}

function wordFor({ enabled, configured, running, connected, reconnectAttempts = 0 }: AccountFacts): string {
  if (!enabled) return 'disabled';
  if (!configured) return 'not configured';
  if (!running) return 'stopped';
  if (connected) return 'connected';
  return reconnectAttempts > 0 ? `reconnecting (${reconnectAttempts})` : 'connecting';
}

function facts({
  self,
  mode,
  connected,
  lastInboundAt,
  lastOutboundAt,
  sends,
  lastError,
  probe,
  problems,
  credentialSources = {},
}: AccountFacts): string {
  return [
    self && (self.handle ?? self.name ?? self.id),
    mode,
    ...Object.entries(credentialSources)
      .filter(([, source]) => source !== 'none' || !connected)
      .map(([key, source]) => `${key}: ${source}`),
    lastInboundAt && `in ${ago(lastInboundAt)}`,
    lastOutboundAt && `out ${ago(lastOutboundAt)}`,
    sends && sends.failed > 0 && `${sends.failed} not delivered`,
    sends && sends.repeated > 0 && `${sends.repeated} sent again`,
    probe &&
      (connected || !probe.ok) &&
      'probe ' +
        `${probe.ok ? 'ok' : `failed${probe.detail ? `: ${probe.detail}` : ''}`}${probe.ms === undefined ? '' : ` (${probe.ms} ms)`}`,
    lastError === 'not configured' || problems.some(({ message }) => message === lastError) ? '' : lastError,
  ]
    .filter(Boolean)
    .join(', ');
}

export async function channelsCapabilities({ io, flags, args }: Call): Promise<void> {
  await using registry = await openRegistry(io.env());
  const shown = args[0] === undefined ? registry.channels : [pickChannel(args[0], registry.channels)];
  if (flags.has('json'))
    return io.out(
      JSON.stringify(
        shown.map(({ id, label, capabilities, actions = [], targetHint }) => ({
          id,
          label,
          capabilities,
          actions,
          targetHint,
        })),
        null,
        2,
      ),
    );
  for (const plugin of shown) io.out(capabilityText(plugin, registry.sources));
}

function capabilityText(
  { id, label, capabilities, actions = [], targetHint }: ChannelPlugin,
  { channels }: ChannelSources,
): string {
  const gates = (channels[id]?.['actions'] ?? {}) as Readonly<Record<string, boolean>>;
  const can = (['threads', 'edit', 'react', 'typing', 'media', 'voice', 'idempotentSend'] as const).filter(
    (name) => capabilities[name],
  );
  return [
    `${label} (${id}): ${capabilities.chats.join(', ')}; text up to ${capabilities.maxTextLength} ` +
      `characters; ${[...can, ...(capabilities.polls ? ['polls'] : [])].join(', ')}`,
    ...(targetHint ? [`  targets: ${targetHint}`] : []),
    ...actions.map(
      ({ name, summary, gate, offByDefault }) =>
        `  ${name}: ` +
        `${summary}${((gate === undefined ? undefined : gates[gate]) ?? !offByDefault) ? '' : ` (off; channels.${id}.actions.${gate ?? name})`}`,
    ),
  ].join('\n');
}

interface LoggedOut {
  readonly cleared: boolean;
  readonly loggedOut: boolean;
  readonly kept?: readonly string[];
}

export async function channelsLogout(call: Call): Promise<void> {
  const { io, flags } = call;
  const answer = await (await call.gateway()).request<LoggedOut>('channels.logout', whichOf(call));
  if (flags.has('json')) return io.out(JSON.stringify(answer, null, 2));
  io.out(
    answer.cleared
      ? `${flags.text('channel')!} is logged out; its login is removed.`
      : 'The configuration had no secret to remove.',
  );
  if (answer.kept?.length)
    io.out(`Still set outside the configuration; remove it yourself: ${answer.kept.join(', ')}.`);
}

export async function channelsRestart(call: Call): Promise<number> {
  const { io, flags } = call;
  using spinner = createSpinner(io);
  spinner.say('connecting');
  const answer = await (await call.gateway()).request<{ connected: boolean; lastError?: string }>(
    'channels.restart',
    whichOf(call),
    { timeoutMs: 2 * TIMEOUT_MS },
  );
  spinner.rest();
  if (flags.has('json')) io.out(JSON.stringify(answer, null, 2));
  else
    io.out(
      answer.connected
        ? `${flags.text('channel')!} is connected.`
        : `${flags.text('channel')!} is not connected: ${(answer.lastError ?? 'still connecting').replace(/\.$/, '')}.`,
    );
  return answer.connected ? 0 : 1;
}

export const whichOf = ({ flags }: Pick<Call, 'flags'>): { channel: string; accountId?: string } => {
  const accountId = flags.text('account');
  return present({ channel: flags.text('channel')!, accountId });
};
