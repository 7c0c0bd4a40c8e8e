/**
 * Puts pictures a chat model will see itself into the form its vendor takes: they stand in the transcript and travel
 * with every turn.
 */
import type { Attachment } from '../../../core/message.ts';
import { present } from '../../../core/present.ts';
import type { Note } from '../../../core/understanding.ts';
import type { AttachmentFile } from '../attachments.ts';
import { remarkOn } from '../media/remarks.ts';
import type { ModelPictures } from './model-pictures.ts';

export interface FittedPictures {
  /** All attachments in their order, pictures that had to change replaced. */
  readonly attachments: readonly Attachment[];
  /** Remarks on pictures no model can be shown. */
  readonly notes: readonly Note[];
}

export interface FitPicturesDeps {
  keep(data: Uint8Array, facts: { readonly mime: string; readonly name: string }): Promise<Attachment>;
}

export interface Pictures {
  readonly files: readonly AttachmentFile[];
  readonly attachments: readonly Attachment[];
  /** Attachments something was said about already; no model is shown those. */
  readonly claimed: ReadonlySet<number>;
  readonly modelPictures: ModelPictures;
}

export async function fitPictures(
  { files, attachments, claimed, modelPictures }: Pictures,
  { keep }: FitPicturesDeps,
): Promise<FittedPictures> {
  const notes: Note[] = [];
  const fitted = await Promise.all(
    attachments.map(async (attachment, index) => {
      const file = files[index];
      if (attachment.kind !== 'image' || attachment.path === undefined || claimed.has(index) || !file)
        return attachment;
      const shown = await modelPictures(file);
      if (!shown.ok) notes.push(remarkOn(file, 'image', { kind: 'unreadable', because: shown.why }));
      if (!shown.ok || (shown.change === undefined && shown.mime === attachment.mime)) return attachment;
      if (shown.change === undefined) return { ...attachment, mime: shown.mime };
      return {
        ...(await keep(shown.data, { mime: shown.mime, name: file.name })),
        ...present({ name: attachment.name || undefined }),
      };
    }),
  );
  return { attachments: fitted, notes };
}
