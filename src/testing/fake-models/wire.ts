/** The options of the fake model server, and what each vendor's protocol must support. */
import type { ProviderApi } from '../../core/provider.ts';

/** Streamed in this order: thinking, text, calls, then the end mark. */
export interface FakeAnswer {
  readonly thinking?: readonly string[];
  readonly text?: readonly string[];
  readonly calls?: readonly FakeCall[];
  readonly usage?: FakeUsage;
  /** The last piece of the text comes after this. */
  readonly pause?: Promise<unknown>;
  /** The answer was cut at its token limit. */
  readonly length?: boolean;
}

export interface FakeCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}
export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
}
export type FakeErrorKind =
  | 'auth'
  | 'rate'
  | 'overloaded'
  | 'overflow'
  | 'broken'
  | 'quota'
  | 'unknown-model'
  | 'picture';

/** One request's fate. Pieces are written with a flush in between. */
export type FakeReply =
  | FakeAnswer
  /** An HTTP error with the vendor's body. */
  | { readonly error: FakeErrorKind; readonly headers?: Readonly<Record<string, string>> }
  /** An error event after some text, inside a stream that began well. */
  | { readonly errorInStream: 'overloaded'; readonly text?: readonly string[] }
  /** Lines that are not the protocol. */
  | { readonly garbage: string }
  /** The connection ends after the text: `reset` kills the socket, `clean` closes the stream without the end mark. */
  | { readonly cut: 'reset' | 'clean'; readonly text?: readonly string[] }
  /** Says the text, then nothing more until the client goes. */
  | { readonly hang: true; readonly text?: readonly string[] }
  /** 200 and an empty body. */
  | { readonly silent: true };

/** Events as written on the wire; `close` is what makes an answer complete. */
export interface Frames {
  readonly open: readonly string[];
  readonly close: readonly string[];
}

export interface Wire {
  readonly api: ProviderApi;
  matches(path: string): boolean;
  frames(answer: FakeAnswer): Frames;
  error(kind: FakeErrorKind): { readonly status: number; readonly body: unknown };
  errorInStream(): string;
  /** The request in words all vendors share. */
  read(body: any): SeenRequest;
}

export interface SeenRequest {
  readonly system: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string | undefined;
    readonly schema: unknown;
  }[];
  readonly texts: readonly string[];
  /** Base64 of every image, also those inside tool results. */
  readonly images: readonly string[];
  readonly toolResults: readonly { readonly id: string | undefined; readonly text: string }[];
  readonly calls: readonly { readonly id: string | undefined; readonly name: string; readonly args: unknown }[];
  /** Whatever asks for thinking, as sent. */
  readonly thinking: unknown;
}

export const sse = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const list = (value: unknown): readonly any[] => (Array.isArray(value) ? value : []);
export const afterComma = (url: unknown): string => String(url).split(',').slice(1).join(',');
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
