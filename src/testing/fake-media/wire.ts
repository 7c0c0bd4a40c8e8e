/** The options of the fake media server, and what each vendor's protocol must support. */

export interface FakeMediaWire {
  /** Of the request, without its query. */
  matches(path: string): boolean;
  /** The body of an answer that says this. */
  answer(text: string): unknown;
  /** The vendor's own body for a status. */
  error(status: number): unknown;
}

/** One request's fate. */
export type FakeMediaReply =
  | { readonly text: string }
  /** Any body, as JSON. */
  | { readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** A failure in the vendor's words, or in others. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** 200 and something that is not the protocol. */
  | { readonly raw: string }
  /** Nothing until the client goes; with `begun`, a beginning. */
  | { readonly hang: true; readonly begun?: string }
  /** A body without an end, as fast as it is read. */
  | { readonly endless: true }
  /** The socket dies in the middle of the body. */
  | { readonly cut: true };
