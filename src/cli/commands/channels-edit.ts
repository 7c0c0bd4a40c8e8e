/** `channels add|remove`: writes an account to the configuration, and keeps comments and other settings. */
import { channelKey } from '../../config/channel-key.ts';
import type { ConfigStore } from '../../config/store.ts';
import type { ChannelPlugin, Credential } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import { normaliseAccountId } from '../../core/session-key.ts';
import { accountsOf, settingsPathOf, type ChannelSources } from '../../plugins/channel-accounts.ts';
import { neededOf } from '../../plugins/channel-credentials.ts';
import { isTerminal, openQuestions } from '../ask.ts';
import { openRegistry, pickChannel, type Registry } from '../channel-registry.ts';
import type { Call } from '../command.ts';
import { withForceHint } from '../force-hint.ts';
import { waitForReload } from '../wait-for-reload.ts';
import { channelsRestart } from './channels.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

type Edit = Parameters<ConfigStore<unknown>['edit']>[0][number];

export async function channelsAdd(call: Call): Promise<number> {
  const { io, flags } = call;
  await using registry = await openRegistry(io.env());
  const plugin = pickChannel(flags.text('channel')!, registry.channels);
  const account = { plugin, accountId: normaliseAccountId(flags.text('account')), useEnv: flags.has('use-env') };
  const input = await valuesOf(plugin, call);
  const values = isTerminal(io)
    ? {
        ...input,
        ...(await promptFor(call, missingCredentials({ ...account, values: input, sources: registry.sources }))),
      }
    : input;
  await addAccount(call, registry, { ...account, values });
  return flags.has('probe') ? channelsRestart(call) : 0; // answers once the platform said yes or no
}

/** What was given, by configuration key. */
async function valuesOf(plugin: ChannelPlugin, call: Call): Promise<Readonly<Record<string, unknown>>> {
  const [first] = plugin.credentials ?? [];
  const keys = [
    ...(plugin.credentials ?? []).flatMap(({ key, fileKey }) => [key, ...(fileKey === undefined ? [] : [fileKey])]),
    ...(plugin.setup ?? []).map(({ key }) => key),
    'name',
  ];
  const found: [string, unknown][] = [];
  if (call.flags.has('token') && first)
    found.push([first.key, await secretOf(call, call.flags.text('token')!, first.label)]);
  if (call.flags.has('token-file') && first?.fileKey) found.push([first.fileKey, call.flags.text('token-file')!]);
  for (const key of keys) {
    const value = call.flags.text(channelKey(plugin.setup?.find((field) => field.key === key)?.flag ?? key));
    if (value === undefined || found.some(([known]) => known === key)) continue;
    const list = plugin.setup?.find((field) => field.key === key)?.list;
    found.push([
      key,
      list
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
        : await secretOf(call, value, plugin.credentials?.find((one) => one.key === key)?.label ?? key),
    ]);
  }
  return Object.fromEntries(found);
}

/** Typed, and not shown. */
async function promptFor({ io }: Call, missing: readonly Credential[]): Promise<Readonly<Record<string, string>>> {
  if (missing.length === 0) return {};
  using questions = openQuestions(io);
  const typed: [string, string][] = [];
  for (const { key, label } of missing) typed.push([key, await questions.askHidden(label)]);
  return Object.fromEntries(typed.filter(([, value]) => value !== ''));
}

/** `-`: what is on the command line can be seen by other users of the machine, standard input cannot. */
async function secretOf({ io }: Call, input: string, label: string): Promise<string> {
  if (input !== '-') return input;
  if (isTerminal(io)) {
    using questions = openQuestions(io);
    return await questions.askHidden(label);
  }
  let text = '';
  for await (const chunk of io.stdin) text += String(chunk);
  if (text.trim() === '') throw new AppError('invalid', 'Standard input is empty; pipe the secret into this command.');
  return text.trim();
}

export interface NewAccount {
  readonly plugin: ChannelPlugin;
  readonly accountId: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly useEnv: boolean;
}

export async function addAccount(
  call: Call,
  { store, sources }: Pick<Registry, 'store' | 'sources'>,
  { plugin, accountId, values, useEnv }: NewAccount,
): Promise<void> {
  if (useEnv && accountId !== 'default')
    throw new AppError('invalid', 'Environment secrets belong to the default account; set secrets for this account.');
  const at = placeFor(sources, plugin.id, accountId);
  mustSuffice({ plugin, values, useEnv, sources, accountId });
  const edits: Edit[] = Object.entries(values).map(([key, value]) => ({ path: `${at}.${key}`, value }));
  const section = sources.channels[plugin.id];
  if (section?.['enabled'] === false || edits.length === 0)
    edits.push({ path: `channels.${plugin.id}.enabled`, value: true });
  const own = accountsOf(plugin, sources).find((plan) => plan.accountId === accountId);
  if (own?.enabled === false && at !== `channels.${plugin.id}`) edits.push({ path: `${at}.enabled`, value: true });
  const { hash, warnings } = await withForceHint(() =>
    store.edit(edits, store.snapshot().hash || undefined, { unvetted: call.flags.has('force') }),
  );
  for (const { path, problem, fix } of warnings)
    if (path.startsWith(`channels.${plugin.id}`)) call.io.err(`warning: ${path}: ${problem}${fix ? ` (${fix})` : ''}`);
  await waitForReload(call, hash);
  const keys = Object.keys(values);
  call.io.out(
    `${plugin.label}, account ${accountId}: ` +
      `${keys.length > 0 ? `${keys.join(', ')} written to ${at}` : useEnv ? 'secrets are read from the environment of the gateway' : 'already configured'}.`,
  );
  if (plugin.login) {
    const account = accountId === 'default' ? '' : ` --account ${accountId}`;
    call.io.out(
      `To log in, run \`${OWN_COMMAND} channels login --channel ${plugin.id}${account}\` while the gateway runs, or ` +
        'choose Log in on the Channels page.',
    );
  }
  call.io.out(
    'New senders get a pairing code; approve them with ' +
      `\`${OWN_COMMAND} pairing approve ${plugin.id} <code>\`. To change this, set channels.${plugin.id}.dmPolicy.`,
  );
}

/** A named account has a section of its own; the default one stands in the channel's, unless it is named too. */
function placeFor({ channels }: ChannelSources, channel: string, accountId: string): string {
  const known = settingsPathOf(channels, channel, accountId);
  return accountId === 'default' || known !== `channels.${channel}`
    ? known
    : `channels.${channel}.accounts.${accountId}`;
}

/** What the account needs and has nowhere but perhaps in the environment. */
function missingCredentials({
  plugin,
  values,
  useEnv,
  sources,
  accountId,
}: NewAccount & { readonly sources: ChannelSources }): readonly Credential[] {
  if (useEnv) return [];
  const known = accountsOf(plugin, sources).find((plan) => plan.accountId === accountId)?.place.settings ?? {};
  const there = { ...known, ...values };
  return neededOf({ plugin, settings: there }).filter(
    ({ key, fileKey }) => there[key] === undefined && (fileKey === undefined || there[fileKey] === undefined),
  );
}

function mustSuffice(account: NewAccount & { readonly sources: ChannelSources }): void {
  const { plugin, accountId } = account;
  const missing = missingCredentials(account);
  if (missing.length === 0) return;
  throw new AppError(
    'invalid',
    `${plugin.label} needs ` +
      `${missing.map(({ label, key }) => `${label} (--${channelKey(key)})`).join(' and ')}${missing.some(({ env }) => env) && accountId === 'default' ? `, or --use-env with ${missing.flatMap(({ env }) => env ?? []).join(' and ')} set where the gateway runs` : ''}.`,
  );
}

export async function channelsRemove(call: Call): Promise<void> {
  const { io, flags } = call;
  await using registry = await openRegistry(io.env());
  const plugin = pickChannel(flags.text('channel')!, registry.channels);
  const accountId = normaliseAccountId(flags.text('account'));
  const plans = accountsOf(plugin, registry.sources);
  const plan = plans.find((one) => one.accountId === accountId);
  if (!plan)
    throw new AppError(
      'not_found',
      plans.length === 0
        ? `${plugin.label} is not configured.`
        : `${plugin.label} has no account "${accountId}". Accounts: ${plans.map((one) => one.accountId).join(', ')}.`,
    );
  const alone = plan.settingsPath === `channels.${plugin.id}` && plans.length > 1;
  if (alone)
    throw new AppError(
      'unsupported',
      `The default account shares ${plan.settingsPath} with others. Remove its secrets with \`${OWN_COMMAND} ` +
        `channels logout --channel ${plugin.id}\`, or edit the file.`,
    );
  const edit: Edit = flags.has('delete')
    ? { path: plan.settingsPath, value: undefined }
    : { path: `${plan.settingsPath}.enabled`, value: false };
  const { hash } = await registry.store.edit([edit], registry.store.snapshot().hash || undefined);
  await waitForReload(call, hash);
  io.out(
    flags.has('delete')
      ? `${plugin.label}, account ${accountId}: settings removed.`
      : `${plugin.label}, account ${accountId}: disabled. \`--delete\` also removes its settings.`,
  );
}
