/** A picture as a chat model may be shown it, made once however many steps ask. */
import { asAppError } from '../../../core/errors.ts';
import { pictureForModel, type ShownPicture } from '../../../platform/pictures/shrink-for-model.ts';
import type { AttachmentFile } from '../attachments.ts';

/** Rejects only with `aborted`. */
export type ModelPictures = (file: AttachmentFile) => Promise<ShownPicture>;

export interface ModelPicturesDeps {
  /** Reads what the image library cannot; undefined when it is nothing either. */
  toPng?(file: AttachmentFile): Promise<Uint8Array | undefined>;
  readonly signal: AbortSignal;
}

/** Bytes of a picture as it comes; what is kept is far smaller. */
const MAX_BYTES = 50 * 1024 * 1024;

export function createModelPictures(deps: ModelPicturesDeps): ModelPictures {
  const made = new Map<AttachmentFile, Promise<ShownPicture>>();
  return (file) => {
    const picture = made.get(file) ?? prepare(file, deps);
    made.set(file, picture);
    return picture;
  };
}

async function prepare(file: AttachmentFile, { toPng, signal }: ModelPicturesDeps): Promise<ShownPicture> {
  try {
    const data = await file.bytes(MAX_BYTES);
    const picture = await pictureForModel(data);
    if (picture.ok || picture.final || !toPng) return picture;
    const png = await toPng(file);
    if (!png) return picture;
    const converted = await pictureForModel(png);
    return converted.ok ? { change: 'PNG', ...converted } : picture;
  } catch (error) {
    if (signal.aborted) throw asAppError(error, 'aborted');
    return { ok: false, kind: file.mime, why: asAppError(error).message, final: true };
  }
}
