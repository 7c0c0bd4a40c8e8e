/** The ids, modes, roles and capabilities of clients. */
import { PRODUCT } from '../core/product.ts';

const PRODUCT_CLIENTS = [
  'control-ui',
  'browser-copilot',
  'tui',
  'macos',
  'linux',
  'ios',
  'watchos',
  'android',
  'worker',
  'probe',
] as const;

/** Published clients carry the name of the product family; ours may carry our own. */
export const CLIENT_IDS: readonly string[] = [
  'webchat-ui',
  'webchat',
  'cli',
  'gateway-client',
  'node-host',
  'test',
  'fingerprint',
  ...['openclaw', PRODUCT].flatMap((brand) => PRODUCT_CLIENTS.map((name) => `${brand}-${name}`)),
];

/** What kind of program a client is. */
export const CLIENT_MODES = ['webchat', 'cli', 'ui', 'backend', 'node', 'worker', 'probe', 'test'] as const;
/** One of `CLIENT_MODES`. */
export type ClientMode = (typeof CLIENT_MODES)[number];

/** What a connection is for: people's clients are operators, machines that lend their abilities are nodes. */
export const ROLES = ['operator', 'node'] as const;
/** One of `ROLES`. */
export type Role = (typeof ROLES)[number];

/** Wants `agent` events of the `tool` and `thinking` streams. */
export const CAP_TOOL_EVENTS = 'tool-events';
/** Wants `presence.changed` in the place of `presence`, which carries everybody each time. */
export const CAP_PRESENCE_CHANGES = 'presence-changes';
/** Wants `chat.delta`, which carries only the new text, in the place of deltas of `chat` and the `assistant` stream. */
export const CAP_TEXT_DELTAS = 'text-deltas';
/** Wants chat and agent events of the sessions it follows only. */
export const CAP_SESSION_SCOPED_EVENTS = 'session-scoped-events';

/** What a client says about itself in `connect`. */
export interface ClientInfo {
  readonly id: string;
  readonly version: string;
  readonly platform: string;
  readonly mode: ClientMode;
  readonly displayName?: string | undefined;
  readonly deviceFamily?: string | undefined;
  readonly modelIdentifier?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly instanceId?: string | undefined;
}

/** A page in a browser: it must bring a device identity, because anything else it has can be stolen by another page. */
export const isBrowserClient = (client: Pick<ClientInfo, 'id' | 'mode'>): boolean =>
  client.mode === 'ui' ||
  client.mode === 'webchat' ||
  client.id.endsWith('-control-ui') ||
  client.id.startsWith('webchat');
