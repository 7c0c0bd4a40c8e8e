/** Describes the files of a message; nothing is downloaded here. Pure. */
import { present } from '../../sdk/index.ts';
import type { Attachment } from '../../sdk/index.ts';
import { listOf, textOf, type Answer } from './answer.ts';

/** Deleted files, and those that the workspace's plan hides. */
const GONE = new Set(['tombstone', 'hidden_by_limit']);
const LIMIT = 20;
/** What Slack records itself. */
const CLIPS = new Set(['slack_audio', 'slack_video']);

/** `sender`: a clip counts as recorded by who sends it, and not where somebody else's is shared. */
export function attachmentsOf(files: unknown, sender: string): readonly Attachment[] {
  return listOf(files)
    .filter((file) => textOf(file['id']) && !GONE.has(String(file['mode'])))
    .slice(0, LIMIT)
    .map((file) => attachmentOf(file, sender));
}

function attachmentOf(file: Answer, sender: string): Attachment {
  const mime = (textOf(file['mimetype']) ?? 'application/octet-stream').split(';')[0]!.trim().toLowerCase();
  const name = textOf(file['name']) ?? textOf(file['title']);
  const size = typeof file['size'] === 'number' && file['size'] >= 0 ? file['size'] : undefined;
  const url = textOf(file['url_private_download']) ?? textOf(file['url_private']);
  return present({
    kind: kindOf(mime, file),
    mime: /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : 'application/octet-stream',
    recorded: CLIPS.has(String(file['subtype'])) && file['user'] === sender ? (true as const) : undefined,
    name: name || undefined,
    size,
    ref: url ? `${textOf(file['id'])} ${url}` : textOf(file['id'])!,
  });
}

/** A voice clip may come as a video without a picture. */
function kindOf(mime: string, file: Answer): Attachment['kind'] {
  if (file['subtype'] === 'slack_audio') return 'audio';
  const kind = mime.split('/')[0];
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
}
