/**
 * Stores the login of an account in files: the device's identity and keys. Files are replaced atomically; the
 * credentials have a backup from when they last worked.
 */
import { join } from 'node:path';
import { AppError, createKeyedQueue, createSemaphore, createSerialQueue, type Log } from '../../sdk/index.ts';
import { listState, moveState, readStateText, removeState, writeStateText } from '../../sdk/state-file.ts';
import { PUBLIC_COMMAND } from '../../sdk/own-command.ts';
import { fromBinaryJson, toBinaryJson } from './binary-json.ts';
import type { Credentials, KeyStore, Library } from './library.ts';

const CREDS = 'creds.json';
const BACKUP = 'creds.json.bak';
const BROKEN = 'creds.json.broken';
const LOGGED_OUT = 'creds.json.logged-out';
/** Files that are ours to remove: the folder may be one a person chose. */
const OURS = [
  /^creds\.json(?:\.[a-z-]{1,20})?$/,
  /^(?:app-state-sync-(?:key|version)|device-list|identity-key|lid-mapping|tctoken)-.{0,250}\.json$/,
  /^(?:pre-key|sender-key(?:-memory)?|session)-.{0,250}\.json$/,
  /^(?:recent|sent)\.json$/,
];
const isOurs = (name: string): boolean => OURS.some((pattern) => pattern.test(name));
/** Files read or written at the same time. */
const AT_ONCE = 16;

export interface LinkedDevice {
  readonly folder: string;
  /** Changed by the library in place. */
  readonly creds: Credentials;
  readonly keys: KeyStore;
  /** What was put right while reading. */
  readonly repaired: { readonly credentials: boolean };
  /** Writes the credentials as they are now. */
  save(): Promise<void>;
  /** They just worked. */
  backUp(): Promise<void>;
  /** WhatsApp does not accept them any more. */
  retire(): Promise<void>;
  /** Resolves once everything is on disk. */
  idle(): Promise<void>;
}

/** Where an account keeps its login. */
export const folderOf = (config: { readonly authDir?: string | undefined }, stateDir: string): string =>
  config.authDir ?? join(stateDir, 'auth');

/** Who the device is; undefined where there is none, or its files make no sense. */
export async function linkedAs(folder: string): Promise<{ readonly id: string; readonly name?: string } | undefined> {
  for (const name of [CREDS, BACKUP]) {
    const text = await readStateText(folder, name);
    const creds = text === undefined ? undefined : sensible(text);
    if (creds?.me) return creds.me;
  }
  return undefined;
}

/** Rejects with `auth` where there is no login, or where its files are broken or of another program. */
export async function openDevice(folder: string, library: Library, log: Log): Promise<LinkedDevice> {
  const text = await readStateText(folder, CREDS);
  const found = text === undefined ? undefined : sensible(text);
  if (found?.me) return createDevice(folder, { creds: found, library, log, credentials: false });
  const backup = await readStateText(folder, BACKUP);
  const saved = backup === undefined ? undefined : sensible(backup);
  if (saved?.me) {
    await moveState(folder, CREDS, BROKEN);
    await writeStateText(folder, CREDS, backup!);
    log.warn('whatsapp.restored', { folder });
    return createDevice(folder, { creds: saved, library, log, credentials: true });
  }
  throw text === undefined || found ? notLinked() : unreadable(folder);
}

/** A device that is not linked yet; its files go to `folder`. */
export const newDevice = (folder: string, library: Library, log: Log): LinkedDevice =>
  createDevice(folder, { creds: library.initAuthCreds(), library, log, credentials: false });

const LOG_IN = `Choose Log in on the Channels page, or run \`${PUBLIC_COMMAND} channels login --channel whatsapp\`.`;

const notLinked = (): AppError =>
  new AppError('auth', 'The account is not linked to a phone.', { details: { fix: LOG_IN } });

const unreadable = (folder: string): AppError =>
  new AppError('auth', `The login in ${folder} cannot be read: ${CREDS} is damaged or of another program.`, {
    details: { fix: `Restore the folder from a backup, or log in again. ${LOG_IN}` },
  });

/** Undefined for what is not the login of a device. */
function sensible(text: string): Credentials | undefined {
  const creds = fromBinaryJson(text) as Credentials | null | undefined;
  if (typeof creds !== 'object' || creds === null) return undefined;
  const pairs = ['noiseKey', 'signedIdentityKey'].every((name) => isPair(creds[name]));
  const prekey = isPair((creds['signedPreKey'] as { readonly keyPair?: unknown } | undefined)?.keyPair);
  const rest = typeof creds['registrationId'] === 'number' && typeof creds['advSecretKey'] === 'string';
  if (!pairs || !prekey || !rest) return undefined;
  if (creds.me && typeof creds.me.id !== 'string') return undefined;
  return creds;
}

const isPair = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['private', 'public'].every((half) => (value as Record<string, unknown>)[half] instanceof Uint8Array);

interface Making {
  readonly creds: Credentials;
  readonly library: Library;
  readonly log: Log;
  readonly credentials: boolean;
}

function createDevice(folder: string, { creds, library, log, credentials }: Making): LinkedDevice {
  const writes = createSerialQueue();
  const { idle, ...keys } = createKeys(folder, library, log);
  return {
    folder,
    creds,
    keys,
    repaired: { credentials },
    save: () => writes.run(() => writeStateText(folder, CREDS, toBinaryJson(creds))),
    backUp: () => writes.run(() => writeStateText(folder, BACKUP, toBinaryJson(creds))),
    retire: () =>
      writes.run(async () => {
        await moveState(folder, CREDS, LOGGED_OUT);
        await removeState(folder, BACKUP);
      }),
    async idle() {
      await Promise.all([writes.run(async () => undefined), idle()]);
    },
  };
}

const fileOf = (category: string, id: string): string =>
  `${category}-${id}.json`.replaceAll('/', '__').replaceAll(':', '-');

/** A key that cannot be read is dropped: the protocol asks for a new one. A power cut may cost the newest keys. */
function createKeys(folder: string, library: Library, log: Log): KeyStore & { idle(): Promise<void> } {
  const queue = createKeyedQueue();
  const semaphore = createSemaphore(AT_ONCE);
  const held = <T>(file: string, work: () => Promise<T>): Promise<T> => queue.run(file, () => semaphore.run(work));

  async function read(category: string, id: string): Promise<unknown> {
    const file = fileOf(category, id);
    const text = await readStateText(folder, file);
    if (text === undefined) return undefined;
    const value = fromBinaryJson(text);
    if (value === undefined || value === null) {
      log.warn('whatsapp.key-dropped', { category });
      await removeState(folder, file);
      return undefined;
    }
    return category === 'app-state-sync-key'
      ? library.proto.Message.AppStateSyncKeyData.fromObject(value as object)
      : value;
  }
  return {
    idle: async () => void (await queue.idle()),
    async get(category, ids) {
      const found = await Promise.all(
        ids.map(async (id) => [id, await held(fileOf(category, id), () => read(category, id))] as const),
      );
      return Object.fromEntries(found.filter(([, value]) => value !== undefined));
    },
    async set(data) {
      const changes = Object.entries(data).flatMap(([category, entries]) =>
        Object.entries(entries).map(([id, value]) => ({ file: fileOf(category, id), value })),
      );
      await Promise.all(
        changes.map(({ file, value }) =>
          held(file, () =>
            value === null || value === undefined
              ? removeState(folder, file)
              : writeStateText(folder, file, toBinaryJson(value), { sync: false }),
          ),
        ),
      );
    },
  };
}

/** Removes a login; other files of the folder stay. */
export async function forgetDevice(folder: string): Promise<void> {
  for (const name of await listState(folder)) if (isOurs(name)) await removeState(folder, name);
}

/** Puts a new login in the place of an old one; the credentials come last, so that what is there is whole. */
export async function replaceDevice(folder: string, from: string): Promise<void> {
  await forgetDevice(folder);
  const names = (await listState(from)).filter((name) => isOurs(name) && name !== CREDS);
  for (const name of [...names, CREDS]) {
    const text = await readStateText(from, name);
    if (text !== undefined) await writeStateText(folder, name, text);
    await removeState(from, name);
  }
}
