/** Files that came with a message, as facts: nothing is fetched here. Pure. */
import type { Attachment } from '../../sdk/index.ts';
import { listOf, textOf, type Answer } from './answer.ts';

/** Deleted files, and those that the workspace's plan hides. */
const GONE = new Set(['tombstone', 'hidden_by_limit']);
const LIMIT = 20;

export function attachmentsOf(files: unknown): readonly Attachment[] {
  return listOf(files).filter((file) => textOf(file['id']) && !GONE.has(String(file['mode']))).slice(0, LIMIT).map(attachmentOf);
}

function attachmentOf(file: Answer): Attachment {
  const mime = (textOf(file['mimetype']) ?? 'application/octet-stream').split(';')[0]!.trim().toLowerCase();
  const name = textOf(file['name']) ?? textOf(file['title']);
  const size = typeof file['size'] === 'number' && file['size'] >= 0 ? file['size'] : undefined;
  const url = textOf(file['url_private_download']) ?? textOf(file['url_private']);
  return {
    kind: kindOf(mime, file), mime: /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : 'application/octet-stream',
    ...(name ? { name } : {}), ...(size === undefined ? {} : { size }),
    ref: url ? `${textOf(file['id'])} ${url}` : textOf(file['id'])!,
  };
}

/** A voice clip may come as a video without a picture. */
function kindOf(mime: string, file: Answer): Attachment['kind'] {
  if (file['subtype'] === 'slack_audio') return 'audio';
  const kind = mime.split('/')[0];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
}
