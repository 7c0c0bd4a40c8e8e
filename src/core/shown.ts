/** What the web chat shows of an answer where it differs from the text the model wrote. */

import type { CanvasPreview } from './canvas.ts';

/** A file that was given to people; its bytes lie in the media folder of its session, under this id. */
export interface KeptFile {
  readonly id: string;
  readonly name: string;
  /** Bare `type/subtype`, detected from the bytes. */
  readonly mime: string;
  /** Bytes. */
  readonly size: number;
}

/** Without words, files and previews: nothing, because the chat has read it already. */
export interface Shown {
  readonly text: string;
  readonly files: readonly KeptFile[];
  /** Documents and addresses that are framed beside the words. */
  readonly canvas?: readonly CanvasPreview[];
}

/** How such an id looks; nothing else names a file. */
export const KEPT_FILE_ID = /^[0-9a-f]{32}(?:\.[a-z0-9]{1,8})?$/;
