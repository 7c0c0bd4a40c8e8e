/** Finds and loads the WhatsApp Web library, and declares the parts that are used. */
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../sdk/index.ts';
import type { WaContent, WaMessage, WaMessageKey } from './content.ts';
import { quietSignal } from './quiet-signal.ts';

/** A node of the wire: a tag with attributes, and nodes or bytes in it. */
export interface WaNode {
  readonly tag: string;
  readonly attrs: Readonly<Record<string, string>>;
  readonly content?: readonly WaNode[] | string | Uint8Array;
}

/** Decrypts what others encrypted for this device. */
export interface SignalRepository {
  decryptMessage(encrypted: {
    readonly jid: string;
    readonly type: string;
    readonly ciphertext: Uint8Array;
  }): Promise<Uint8Array>;
  decryptGroupMessage(encrypted: {
    readonly group: string;
    readonly authorJid: string;
    readonly msg: Uint8Array;
  }): Promise<Uint8Array>;
  readonly lidMapping: { getPNForLID(lid: string): Promise<string | null | undefined> };
}

export type Credentials = Record<string, unknown> & {
  me?: { readonly id: string; readonly lid?: string; readonly name?: string };
};

/** Keys of other people's devices and of ours, by category and id. */
export interface KeyStore {
  get(category: string, ids: readonly string[]): Promise<Record<string, unknown>>;
  set(data: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Promise<void>;
}

interface GroupMetadata {
  readonly id: string;
  readonly subject?: string;
  readonly size?: number;
  readonly ephemeralDuration?: number;
  readonly participants?: readonly {
    readonly id: string;
    readonly phoneNumber?: string;
    readonly admin?: string | null;
  }[];
}

/** What it emits, by name. */
export interface LibraryEvents {
  'connection.update': {
    readonly connection?: 'open' | 'connecting' | 'close';
    readonly qr?: string;
    readonly isNewLogin?: boolean;
    readonly lastDisconnect?: { readonly error?: unknown };
  };
  'creds.update': object;
  'messages.upsert': { readonly messages: readonly WaMessage[] };
  'messages.update': readonly {
    readonly key: WaMessageKey;
    readonly update: { readonly pollUpdates?: readonly PollUpdate[] | null };
  }[];
  'messaging-history.set': { readonly messages: readonly WaMessage[] };
  'groups.update': readonly { readonly id?: string }[];
  'group-participants.update': { readonly id: string };
  'lid-mapping.update': { readonly lid: string; readonly pn: string };
}

export interface PollUpdate {
  readonly pollUpdateMessageKey?: WaMessageKey | null;
}

export interface LibrarySocket {
  readonly ev: { on<K extends keyof LibraryEvents>(name: K, listener: (event: LibraryEvents[K]) => void): void };
  readonly ws: { on(event: string, listener: (node: WaNode) => void): void; readonly isOpen?: boolean };
  readonly signalRepository: SignalRepository;
  sendMessage(jid: string, content: object, options: object): Promise<unknown>;
  readMessages(keys: readonly WaMessageKey[]): Promise<void>;
  sendPresenceUpdate(type: 'composing' | 'paused', jid: string): Promise<void>;
  groupMetadata(jid: string): Promise<GroupMetadata>;
  query(node: WaNode, timeoutMs: number): Promise<unknown>;
  requestPairingCode(phone: string): Promise<string>;
  logout(): Promise<void>;
  end(error: Error | undefined): unknown;
}

type Coded = { encode(message: object): { finish(): Uint8Array }; decode(bytes: Uint8Array): WaContent };

/** The API of baileys 7, as far as it is used. */
export interface Library {
  makeWASocket(config: object): LibrarySocket;
  readonly DEFAULT_CONNECTION_CONFIG: {
    readonly logger?: object;
    makeSignalRepository(auth: object, logger: object, find?: unknown): SignalRepository;
  };
  initAuthCreds(): Credentials;
  makeCacheableSignalKeyStore(store: KeyStore, logger: object): KeyStore;
  decryptMessageNode(
    node: WaNode,
    meId: string,
    meLid: string,
    repository: object,
    logger: object,
  ): { readonly fullMessage: WaMessage; decrypt(): Promise<void> };
  cleanMessage(message: WaMessage, meId: string, meLid: string): void;
  downloadContentFromMessage(
    media: { readonly mediaKey: Uint8Array; readonly directPath: string; readonly url?: string },
    type: string,
    options: { readonly host?: string; readonly options?: RequestInit },
  ): Promise<AsyncIterable<Uint8Array>>;
  getAggregateVotesInPollMessage(
    poll: { readonly message: WaContent; readonly pollUpdates: readonly PollUpdate[] },
    meId: string,
  ): readonly { readonly name: string; readonly voters: readonly string[] }[];
  readonly proto: {
    readonly Message: Coded & { readonly AppStateSyncKeyData: { fromObject(value: object): object } };
  };
  readonly Browsers: { ubuntu(browser: string): readonly [string, string, string] };
}

const PACKAGE = 'baileys';
/** What `package.json` pins; a copy, because an absent package cannot be asked. */
const VERSION = '7.0.0-rc14';
const NEEDED = ['makeWASocket', 'initAuthCreds', 'decryptMessageNode', 'DEFAULT_CONNECTION_CONFIG', 'proto'] as const;

/** Loads it when the first account connects. `unsupported`: it is not there, or is something else. */
export async function loadLibrary(name: string): Promise<Library> {
  const loaded = await imported(name);
  const missing = NEEDED.filter((part) => loaded[part] === undefined);
  if (missing.length > 0)
    throw new AppError(
      'unsupported',
      `${name} does not have the API of ${PACKAGE} 7: ${missing.join(', ')} is missing. ` +
        'Correct channels.whatsapp.library.',
    );
  quietSignal(name);
  return loaded as unknown as Library;
}

async function imported(name: string): Promise<Record<string, unknown>> {
  try {
    return (await import(isAbsolute(name) ? pathToFileURL(name).href : name)) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const absent = 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(name);
    throw absent
      ? new AppError('unsupported', `WhatsApp needs the package ${name}, which is not installed.`, {
          cause: error,
          details: { fix: installLine(name) },
        })
      : new AppError('unsupported', `${name} cannot be loaded: ${error.message}`, { cause: error });
  }
}

const installLine = (name: string): string =>
  name === PACKAGE
    ? `Run \`npm install --global ${PACKAGE}@${VERSION}\`, or \`npm install\` in a clone, and restart the gateway.`
    : 'Install it, or correct channels.whatsapp.library.';
