/** Makes pictures a chat model will see itself ones that vendors take: they stand in the transcript and travel with every turn. */
import { asAppError } from '../../../core/errors.ts';
import type { Attachment } from '../../../core/message.ts';
import type { Note } from '../../../core/understanding.ts';
import type { AttachmentFile } from '../attachments.ts';
import { remarkOn } from '../media/remarks.ts';
import { shrinkImage } from '../../../platform/pictures/shrink-image.ts';

export interface FittedPictures {
  /** All attachments in their order, pictures that had to change replaced. */
  readonly attachments: readonly Attachment[];
  /** Remarks on pictures no model can be shown. */
  readonly notes: readonly Note[];
}

export interface FitPicturesDeps { keep(data: Uint8Array, facts: { readonly mime: string; readonly name: string }): Promise<Attachment> }

/** Bytes of a picture as it comes; what is kept is far smaller. */
const MAX_BYTES = 50 * 1024 * 1024;

/** `claimed`: attachments something was said about already; no model is shown those. */
export async function fitPictures({ files, attachments, claimed }: { files: readonly AttachmentFile[]; attachments: readonly Attachment[]; claimed: ReadonlySet<number> }, { keep }: FitPicturesDeps): Promise<FittedPictures> {
  const notes: Note[] = [];
  const fitted = await Promise.all(attachments.map(async (attachment, index) => {
    const file = files[index];
    if (attachment.kind !== 'image' || attachment.path === undefined || claimed.has(index) || !file) return attachment;
    try {
      const data = await file.bytes(MAX_BYTES);
      const small = await shrinkImage({ data, mime: file.mime });
      return small.data === data ? attachment : { ...(await keep(small.data, { mime: small.mime, name: file.name })), ...(attachment.name ? { name: attachment.name } : {}) };
    } catch (error) {
      notes.push(remarkOn(file, 'image', { kind: 'unreadable', because: asAppError(error).message }));
      return attachment;
    }
  }));
  return { attachments: fitted, notes };
}
