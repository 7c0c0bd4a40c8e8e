/** The fake Discord for tests, with its initial users, guilds and channels. */
import type { WebSocket } from 'ws';
import type { Chat, ChannelPlatform } from '../../testing/channel-platform.ts';

export const BOT = '900';

export const GUILD = '8001';

export const CHANNEL = '7001';

export const FORUM = '7002';

export const THREAD = '7100';

export const ANN = '501';

export const BOB = '502';

export const TOKEN = 'fake.discord.token';

export const EPHEMERAL = 64;

export const LOADING = 128;

export const EPOCH = 1_420_070_400_000n;

/** What the REST API says to one request. */
export interface Answered {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface FakeDiscord extends ChannelPlatform {
  readonly calls: readonly {
    readonly method: string;
    readonly path: string;
    readonly body: any;
    readonly auth: string | undefined;
    readonly query: URLSearchParams;
    /** For the audit log. */
    readonly reason?: string;
  }[];
  /** Channels, messages and people, as they are. */
  readonly guild: {
    readonly channels: Map<string, any>;
    readonly messages: Map<string, any>;
    user(id: string): any;
    newId(): string;
  };
  /** Asked before this fake's own routes; undefined: not theirs. */
  readonly served: ((call: FakeDiscord['calls'][number]) => Answered | undefined)[];
  readonly gateways: { readonly identified: number; readonly resumed: number; readonly intents: number };
  /** An event as Discord sends it, whatever is in it. */
  emit(t: string, d: unknown): void;
  /** The next connection has to begin anew, as after a long outage. */
  forgetSessions(): void;
  /** Somebody uses a command or presses a button; resolves with the interaction's token. */
  interact(interaction: {
    readonly chat: Chat;
    readonly by: string;
    readonly type?: number;
    readonly data: object;
    readonly message?: { readonly id: string };
  }): Promise<string>;
  /** What the response to an interaction shows now, and the messages after it. */
  responses(
    token: string,
  ): readonly { readonly content: string; readonly ephemeral: boolean; readonly loading: boolean }[];
  addChannel(channel: {
    readonly id: string;
    readonly type: number;
    readonly name?: string;
    readonly parent_id?: string;
    readonly owner_id?: string;
    readonly guild_id?: string;
    readonly recipients?: readonly { readonly id: string }[];
  }): void;
  message(id: string): any;
  /** Answers to routes this fake knows nothing of: `GET /guilds/8001/roles`. */
  readonly answers: Map<string, unknown>;
  readonly application: { flags: number };
  readonly limit: { remaining: number; reset_after: number };
}

export interface Session {
  readonly id: string;
  readonly events: { readonly s: number; readonly t: string; readonly d: any }[];
  acked: number;
  socket: WebSocket | undefined;
}
