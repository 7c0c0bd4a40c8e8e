/** Sends one file to one model vendor, after everything that speaks against sending it. */
import type { MediaBlock, MediaEntry } from '../../../../config/understanding-config.ts';
import { AppError } from '../../../../core/errors.ts';
import type { MediaAbility } from '../../../../core/media-provider.ts';
import { oneSpelling } from '../../../../core/media-type.ts';
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
  const ability = abilityOf(found, capability);
  const model = entry.model?.trim() || ability.defaultModel;
  if (!model) throw new AppError('invalid', `${found.id} has no default model for this; name one`);
  const { data, mime, change } = await takeable({
    file,
    capability,
    ability,
    vendor: found.id,
    limits,
    modelPictures: context.modelPictures,
  });
  const { prompt, language } = limits;
  const query = vendorQuery({ provider: found.id, spellings: ability.spellings }, block, entry);
  signal.throwIfAborted();
  onSend(model);
  const answer = await ability.run(
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

function abilityOf({ id, media }: FoundProvider, capability: MediaCapability): MediaAbility {
  const ability = media[capability];
  if (!ability) throw new AppError('unsupported', `${id} has no ${capability} understanding`);
  return ability;
}

/** Request bodies carry films as base64. */
const MAX_FILM_BASE64 = 70 * 1024 * 1024;

interface Offer extends Pick<VendorQuestion, 'file' | 'capability' | 'limits'> {
  readonly ability: MediaAbility;
  readonly vendor: string;
  readonly modelPictures: ModelPictures;
}

/** What of the file is sent. */
async function takeable({ file, capability, ability, vendor, limits, modelPictures }: Offer): Promise<Picture> {
  if (capability === 'video') refuseHeavyFilm(file.size ?? 0);
  const read: Picture = { data: await file.bytes(limits.maxBytes), mime: file.mime };
  const takes = (mime: string): boolean => ability.accepts?.map(oneSpelling).includes(oneSpelling(mime)) ?? true;
  const ready = capability === 'image' ? await pictureFor(file, read, { ability, takes, modelPictures }) : read;
  if (!takes(ready.mime))
    throw new AppError('unsupported', `${vendor} takes no ${ready.mime}${ready.change ? ` (${ready.change})` : ''}`);
  return ready;
}

/** What every model takes, else the picture as it came for a vendor that says it takes its kind. */
async function pictureFor(
  file: AttachmentFile,
  read: Picture,
  { ability, takes, modelPictures }: Pick<Offer, 'ability' | 'modelPictures'> & { takes(mime: string): boolean },
): Promise<Picture> {
  const picture = await modelPictures(file);
  if (picture.ok)
    return present({
      data: picture.data,
      mime: picture.mime,
      change: picture.change !== undefined ? `sent as ${picture.change}` : undefined,
    });
  if (!ability.accepts || !takes(read.mime)) throw new AppError('unsupported', picture.why);
  return shrinkImage(read, { accepts: ability.accepts });
}

function refuseHeavyFilm(bytes: number): void {
  if (Math.ceil(bytes / 3) * 4 > MAX_FILM_BASE64)
    throw new AppError('too_large', `it is larger than ${sizeText(MAX_FILM_BASE64)} when encoded`);
}
