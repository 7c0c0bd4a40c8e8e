/** Finds the secrets of an account: in its settings, in a file they name, or in the environment. */
import type { ChannelPlugin, ChannelProblem, Credential } from '../core/channel.ts';
import { asAppError } from '../core/errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../core/product.ts';
import { expandPath } from '../platform/env.ts';
import { readTextIfExists } from '../platform/files.ts';

export type CredentialSource = 'config' | 'file' | 'env' | 'none';
type Settings = Readonly<Record<string, unknown>>;

export interface CredentialPlace {
  readonly plugin: Pick<ChannelPlugin, 'id' | 'label' | 'credentials'>;
  readonly accountId: string;
  /** What belongs to this account alone; a secret of the channel belongs to its default account. */
  readonly settings: Settings;
  /** `channels.telegram`: where the settings are, for advice. */
  readonly settingsPath: string;
  variable(name: string): string | undefined;
}

const filled = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Without reading any file. */
export function sourceOf(credential: Credential, { settings, accountId, variable }: CredentialPlace): CredentialSource {
  if (filled(settings[credential.key]) !== undefined) return 'config';
  if (credential.fileKey !== undefined && filled(settings[credential.fileKey]) !== undefined) return 'file';
  return accountId === DEFAULT_ACCOUNT_ID &&
    credential.env !== undefined &&
    filled(variable(credential.env)) !== undefined
    ? 'env'
    : 'none';
}

export const sourcesOf = (place: CredentialPlace): Readonly<Record<string, CredentialSource>> =>
  Object.fromEntries(
    (place.plugin.credentials ?? []).map((credential) => [credential.key, sourceOf(credential, place)]),
  );

/** What is needed and nowhere to be found, as problems a person can act on. */
export function missingCredentials(place: CredentialPlace): readonly ChannelProblem[] {
  return neededOf(place)
    .filter((credential) => sourceOf(credential, place) === 'none')
    .map((credential) => ({
      kind: 'config',
      message: `${place.plugin.label} has no ${lowerFirst(credential.label)}.`,
      fix: `Set ${placesFor(credential, place).join(', or ')}.`,
    }));
}

export const neededOf = ({ plugin, settings }: Pick<CredentialPlace, 'plugin' | 'settings'>): readonly Credential[] =>
  (plugin.credentials ?? []).filter((credential) => credential.needed?.(settings) ?? true);

export interface Resolved {
  readonly credentials: Readonly<Record<string, string>>;
  readonly problems: readonly ChannelProblem[];
}

/** Reads the files as well. A file that cannot be read is a problem, not an error; secrets never stand in problems. */
export async function resolveCredentials(place: CredentialPlace & { readonly home: string }): Promise<Resolved> {
  const found = await Promise.all(
    (place.plugin.credentials ?? []).map(async (credential) => ({
      key: credential.key,
      ...(await valueOf(credential, place)),
    })),
  );
  return {
    credentials: Object.fromEntries(found.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]]))),
    problems: found.flatMap(({ problem }) => problem ?? []),
  };
}

interface Value {
  readonly value?: string;
  readonly problem?: ChannelProblem;
}

async function valueOf(credential: Credential, place: CredentialPlace & { readonly home: string }): Promise<Value> {
  const { settings, variable } = place;
  switch (sourceOf(credential, place)) {
    case 'config':
      return { value: filled(settings[credential.key])! };
    case 'env':
      return { value: filled(variable(credential.env!))! };
    case 'file':
      return fromFile(filled(settings[credential.fileKey!])!, credential, place);
    case 'none':
      return {};
  }
}

async function fromFile(
  path: string,
  { label, fileKey }: Credential,
  { home, settingsPath }: CredentialPlace & { readonly home: string },
): Promise<Value> {
  const at = `${settingsPath}.${fileKey!}`;
  const problem = (what: string): Value => ({
    problem: {
      kind: 'config',
      message: `The ${lowerFirst(label)} cannot be read: ${path} ${what}.`,
      fix: `Write the secret to that file, or correct ${at}.`,
    },
  });
  try {
    const text = await readTextIfExists(expandPath(path, home));
    if (text === undefined) return problem('does not exist');
    return text.trim() === '' ? problem('is empty') : { value: text.trim() };
  } catch (error) {
    return problem(`is not readable (${asAppError(error).code})`);
  }
}

/** Where a person may put it. */
export function placesFor(
  { key, fileKey, env }: Credential,
  { settingsPath, accountId }: Pick<CredentialPlace, 'settingsPath' | 'accountId'>,
): readonly string[] {
  return [
    `${settingsPath}.${key}`,
    ...(fileKey === undefined ? [] : [`${settingsPath}.${fileKey}`]),
    ...(env !== undefined && accountId === DEFAULT_ACCOUNT_ID ? [`the environment variable ${env}`] : []),
  ];
}

/** `Bot token` → `bot token`; `API key` stays. */
const lowerFirst = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;
