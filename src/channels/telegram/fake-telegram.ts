/** The fake Telegram for tests. */
import type { ServerResponse } from 'node:http';
import type { ChannelPlatform, Said } from '../../testing/channel-platform.ts';

export interface Call {
  readonly method: string;
  readonly params: any;
  readonly at: number;
}

export interface FakeTelegram extends ChannelPlatform {
  readonly apiRoot: string;
  /** Every call but polls, in order. */
  readonly calls: readonly Call[];
  /** Delivers any update, well-formed or not; `update_id` is added unless given. */
  push(update: any): number;
  /** A message of a person, as the server has it; for updates that refer to one. */
  message(said: Said, more?: object): any;
  /** A file that can be downloaded. */
  addFile(data: Uint8Array, path?: string): string;
  readonly commands: readonly { command: string; description: string }[];
  readonly webhook: { url: string; secret_token?: string } | undefined;
  /** Another program polls with the token: what polls gets 409 so many times. */
  rival(times: number): void;
  /** The next calls of the method are answered so; a text is sent as it is, be it JSON or not. */
  refuse(
    method: string,
    answer: { error_code: number; description: string; parameters?: object } | string,
    times?: number,
  ): void;
  /** What `getMe` says besides. */
  readonly me: Record<string, unknown>;
}

export interface Update {
  readonly update_id: number;
  readonly body: any;
}

export interface Poll {
  readonly offset: number;
  readonly response: ServerResponse;
  readonly timer: NodeJS.Timeout;
}
