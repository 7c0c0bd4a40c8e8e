/** Which attachments of a kind are looked at, and in which order. */
import type { MediaBlock } from '../../../config/understanding-config.ts';
import type { Attachment, InboundMessage } from '../../../core/message.ts';
import type { AttachmentFile } from '../attachments.ts';

export interface Selection {
  readonly chosen: readonly AttachmentFile[];
  /** Over the limit. */
  readonly left: readonly AttachmentFile[];
}

/** Platforms put no more into one. */
const ALBUM = 10;

/**
 * `files` are of one kind; the message has the attachments as they came, for they tell what was a path and what a URL.
 */
export function selectAttachments(
  files: readonly AttachmentFile[],
  policy: MediaBlock['attachments'],
  { attachments, album }: Pick<InboundMessage, 'attachments' | 'album'>,
): Selection {
  const ordered = inOrder(files, policy.prefer, attachments);
  const limit = policy.mode === 'all' ? policy.maxAttachments : policy.mode === undefined && album ? ALBUM : 1;
  return { chosen: ordered.slice(0, limit), left: ordered.slice(limit) };
}

function inOrder(
  files: readonly AttachmentFile[],
  prefer: MediaBlock['attachments']['prefer'],
  sent: readonly Attachment[],
): readonly AttachmentFile[] {
  if (prefer === 'last') return files.toReversed();
  if (prefer === undefined || prefer === 'first') return files;
  const isPreferred = ({ index }: AttachmentFile): boolean => sent[index]?.[prefer] !== undefined;
  return [...files.filter(isPreferred), ...files.filter((file) => !isPreferred(file))];
}
