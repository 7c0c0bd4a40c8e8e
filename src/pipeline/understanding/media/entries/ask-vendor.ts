/** Sends one file to one model vendor, after everything that speaks against sending it. */
import type { MediaBlock, MediaEntry } from '../../../../config/understanding-config.ts';
import { AppError } from '../../../../core/errors.ts';
import type { MediaHandler } from '../../../../core/media-provider.ts';
import { canonicalMime } from '../../../../core/media-type.ts';
import { present } from '../../../../core/present.ts';
import type { MediaCapability } from '../../../../core/understanding.ts';
import type { AttachmentFile } from '../../attachments.ts';
import type { ModelPictures } from '../../pictures/model-pictures.ts';
import type { UnderstandingContext } from '../../context.ts';
import { sizeText } from '../../../../core/size-text.ts';
import type { Limits } from './limits.ts';
import type { FoundProvider, MediaModels } from '../media-models.ts';
import { shrinkImage, type Picture } from '../../../../platform/pictures/shrink-image.ts';
import { vendorQuery, vendorSettings } from './vendor-settings.ts';

/** One entry and what it is asked about. */
export interface Question {
  readonly entry: MediaEntry;
  readonly file: AttachmentFile;
  readonly capability: MediaCapability;
  readonly block: MediaBlock;
  readonly context: UnderstandingContext;
}

export interface Answer {
  readonly text: string;
  readonly provider: string;
  readonly model: string;
  /** What the file had to become first. */
  readonly change?: string;
}

export interface VendorQuestion extends Question {
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** The file is about to leave this machine, for this model. */
  onSend(model: string): void;
}

/**
 * Rejects with `AppError`: `not_found`, `invalid`, `unsupported`, `too_large` before anything is sent, afterwards like
 * `MediaAbility.run`.
 */
export async function askVendor(
  { entry, block, capability, file, context, limits, signal, onSend }: VendorQuestion,
  models: MediaModels,
): Promise<Answer> {
  const found = await models.find(entry.provider ?? '');
  if (!found) throw new AppError('not_found', `there is no model vendor ${entry.provider}`);
  const handler = handlerOf(found, capability);
  const model = entry.model?.trim() || handler.defaultModel;
  if (!model) throw new AppError('invalid', `${found.id} has no default model for this; name one`);
  const { data, mime, change } = await takeable({
    file,
    capability,
    handler,
    vendor: found.id,
    limits,
    modelPictures: context.modelPictures,
  });
  const { prompt, language } = limits;
  const query = vendorQuery({ provider: found.id, spellings: handler.spellings }, block, entry);
  signal.throwIfAborted();
  onSend(model);
  const answer = await handler.run(
    present({
      data,
      mime,
      fileName: file.name,
      model,
      signal,
      prompt: prompt || undefined,
      language: language || undefined,
      query,
    }),
    vendorSettings(found.settings, block, entry),
  );
  return { ...answer, provider: found.id, ...present({ change: change || undefined }) };
}

function handlerOf({ id, media }: FoundProvider, capability: MediaCapability): MediaHandler {
  const handler = media[capability];
  if (!handler) throw new AppError('unsupported', `${id} has no ${capability} understanding`);
  return handler;
}

/** Request bodies carry films as base64. */
const MAX_FILM_BASE64 = 70 * 1024 * 1024;

interface Offer extends Pick<VendorQuestion, 'file' | 'capability' | 'limits'> {
  readonly handler: MediaHandler;
  readonly vendor: string;
  readonly modelPictures: ModelPictures;
}

/** What of the file is sent. */
async function takeable({ file, capability, handler, vendor, limits, modelPictures }: Offer): Promise<Picture> {
  if (capability === 'video') refuseHeavyFilm(file.size ?? 0);
  const read: Picture = { data: await file.bytes(limits.maxBytes), mime: file.mime };
  const takes = (mime: string): boolean => handler.accepts?.map(canonicalMime).includes(canonicalMime(mime)) ?? true;
  const ready = capability === 'image' ? await pictureFor(file, read, { handler, takes, modelPictures }) : read;
  if (!takes(ready.mime))
    throw new AppError('unsupported', `${vendor} takes no ${ready.mime}${ready.change ? ` (${ready.change})` : ''}`);
  return ready;
}

/** What every model takes, else the picture as it came for a vendor that says it takes its kind. */
async function pictureFor(
  file: AttachmentFile,
  read: Picture,
  { handler, takes, modelPictures }: Pick<Offer, 'handler' | 'modelPictures'> & { takes(mime: string): boolean },
): Promise<Picture> {
  const picture = await modelPictures(file);
  if (picture.ok)
    return present({
      data: picture.data,
      mime: picture.mime,
      change: picture.change !== undefined ? `sent as ${picture.change}` : undefined,
    });
  if (!handler.accepts || !takes(read.mime)) throw new AppError('unsupported', picture.why);
  return shrinkImage(read, { accepts: handler.accepts });
}

function refuseHeavyFilm(bytes: number): void {
  if (Math.ceil(bytes / 3) * 4 > MAX_FILM_BASE64)
    throw new AppError('too_large', `it is larger than ${sizeText(MAX_FILM_BASE64)} when encoded`);
}
