/** Finds the accounts of a channel in configuration and environment, and whether each can run. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { channelShape, rawSettings } from '../config/channel-config.ts';
import type { ChannelPlugin, ChannelProblem } from '../core/channel.ts';
import { DEFAULT_ACCOUNT_ID } from '../core/product.ts';
import { normaliseAccountId } from '../core/session-key.ts';
import { missingCredentials, sourceOf, type CredentialPlace } from './channel-credentials.ts';

export type Channels = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
export interface ChannelSources {
  readonly channels: Channels;
  variable(name: string): string | undefined;
}

export interface AccountPlan {
  readonly plugin: ChannelPlugin;
  readonly accountId: string;
  readonly enabled: boolean;
  /** Every secret it needs is somewhere. */
  readonly configured: boolean;
  /** Merged, before the plugin's schema. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** What status and errors call the place of its settings. */
  readonly settingsPath: string;
  readonly place: CredentialPlace;
  readonly missing: readonly ChannelProblem[];
}

/**
 * Empty for a channel nobody configured. A secret in the environment configures its default account; the access policy
 * stays closed all the same.
 */
export function accountsOf(plugin: ChannelPlugin, sources: ChannelSources): readonly AccountPlan[] {
  const section = sources.channels[plugin.id];
  const ids = accountIds(plugin, section);
  if (section === undefined && plugin.capabilities.deliverable && !hasEnvironment(plugin, sources)) return [];
  return ids.map((accountId) => plan(plugin, accountId, sources));
}

/** `channels.x.accounts.y` where that is written, else `channels.x`. */
export function settingsPathOf(channels: Channels, channel: string, accountId: string): string {
  const written = accountKey(channels[channel], accountId);
  return written === undefined ? `channels.${channel}` : `channels.${channel}.accounts.${written}`;
}

function plan(plugin: ChannelPlugin, accountId: string, sources: ChannelSources): AccountPlan {
  const raw = rawSettings(sources.channels, plugin.id, accountId);
  const settingsPath = settingsPathOf(sources.channels, plugin.id, accountId);
  const place: CredentialPlace = {
    plugin,
    accountId,
    settingsPath,
    settings: ownSecrets(plugin, accountId, sources.channels),
    variable: sources.variable,
  };
  const missing = missingCredentials(place);
  const enabled = sources.channels[plugin.id]?.['enabled'] !== false && raw['enabled'] !== false;
  return { plugin, accountId, enabled, configured: missing.length === 0, raw, settingsPath, place, missing };
}

/** The merged settings, in which a named account has only secrets of its own: one secret, one connection. */
function ownSecrets(plugin: ChannelPlugin, accountId: string, channels: Channels): Readonly<Record<string, unknown>> {
  const raw = rawSettings(channels, plugin.id, accountId);
  if (accountId === DEFAULT_ACCOUNT_ID) return raw;
  const own = accountSection(channels[plugin.id], accountId);
  const secret = new Set(secretKeys(plugin));
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !secret.has(key) || Object.hasOwn(own, key)));
}

export const secretKeys = (plugin: Pick<ChannelPlugin, 'credentials'>): readonly string[] =>
  (plugin.credentials ?? []).flatMap(({ key, fileKey }) => [key, ...(fileKey === undefined ? [] : [fileKey])]);

/** The named ones; the default one too when nothing is named, or when the channel's own section holds a secret. */
function accountIds(plugin: ChannelPlugin, section: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const named = [...new Set(Object.keys(namedAccounts(section)).map((id) => normaliseAccountId(id)))];
  const own = named.length === 0 || secretKeys(plugin).some((key) => section?.[key] !== undefined);
  return own && !named.includes(DEFAULT_ACCOUNT_ID) ? [DEFAULT_ACCOUNT_ID, ...named] : named;
}

function namedAccounts(
  section: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const accounts = section?.['accounts'];
  return typeof accounts === 'object' && accounts !== null ? (accounts as Record<string, Record<string, unknown>>) : {};
}

const accountKey = (section: Readonly<Record<string, unknown>> | undefined, accountId: string): string | undefined =>
  Object.keys(namedAccounts(section)).find((id) => id.trim().toLowerCase() === accountId);

const accountSection = (
  section: Readonly<Record<string, unknown>> | undefined,
  accountId: string,
): Readonly<Record<string, unknown>> => {
  const key = accountKey(section, accountId);
  return key === undefined ? {} : (namedAccounts(section)[key] ?? {});
};

/** Every secret it cannot do without is in the environment. */
function hasEnvironment(plugin: ChannelPlugin, { channels, variable }: ChannelSources): boolean {
  const settings = rawSettings(channels, plugin.id, DEFAULT_ACCOUNT_ID);
  const needed = (plugin.credentials ?? []).filter((credential) => credential.needed?.(settings) ?? true);
  const place: CredentialPlace = {
    plugin,
    accountId: DEFAULT_ACCOUNT_ID,
    settings,
    settingsPath: `channels.${plugin.id}`,
    variable,
  };
  return needed.length > 0 && needed.every((credential) => sourceOf(credential, place) === 'env');
}

/** Common keys that are read when they are needed, never kept by a connection. */
const READ_LIVE: ReadonlySet<string> = new Set(
  Object.keys(channelShape).filter((key) => !['enabled', 'commands', 'mediaMaxMb'].includes(key)),
);

/** Whether the account can keep its connection, because the changed settings are read for each message. */
export function sameConnection(before: AccountPlan, after: AccountPlan): boolean {
  const kept = ({ plugin, raw, place }: AccountPlan): unknown => {
    const live = new Set([...READ_LIVE, ...(plugin.liveKeys ?? [])]);
    const secrets = (plugin.credentials ?? []).map(({ key, fileKey, env }) => [
      place.settings[key],
      fileKey && place.settings[fileKey],
      env && place.variable(env),
    ]);
    return [
      Object.entries(raw)
        .filter(([key]) => !live.has(key))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      secrets,
    ];
  };
  return before.plugin === after.plugin && isDeepStrictEqual(kept(before), kept(after));
}
