/** The parts of a feed that are shown, independent of its format. */

export interface FeedEntry {
  readonly title?: string;
  readonly link?: string;
  /** As written. */
  readonly date?: string;
  readonly author?: string;
  /** HTML or text. */
  readonly summary?: string;
  /** The whole of it, HTML or text. */
  readonly content?: string;
  readonly files: readonly FeedFile[];
}

/** What is delivered with an entry: an episode, a picture, a document. */
export interface FeedFile {
  readonly url: string;
  readonly type?: string;
  readonly bytes?: number;
  /** As written: seconds, or `34:10`. */
  readonly duration?: string;
}

export interface Feed {
  readonly title?: string;
  readonly author?: string;
  readonly description?: string;
  /** As written. */
  readonly updated?: string;
  readonly entries: readonly FeedEntry[];
}

/** Leaves out what is undefined. */
export function present<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
