/** The files of one message: fetched at most once, however many steps look at them, and told apart by their bytes. */

/** One attachment as the steps see it. */
export interface AttachmentFile {
  /** Place in the message. */
  readonly index: number;
  readonly kind: 'image' | 'audio' | 'video' | 'document';
  /** Bare `type/subtype`: what the bytes show, else what was claimed. */
  readonly mime: string;
  /** A plain file name: no folders, no control characters. */
  readonly name: string;
  /** Bytes, when known before reading. */
  readonly size: number | undefined;
  /** Why it cannot be had at all (blocked, gone, too large, timed out); `path` and `bytes` reject with the same. */
  readonly trouble: string | undefined;
  /** Absolute path of a local copy. */
  path(): Promise<string>;
  /** `AppError('too_large')` when it is bigger. */
  bytes(maxBytes: number): Promise<Buffer>;
}
