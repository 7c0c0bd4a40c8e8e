/** Asks one entry about one file and records how that went. */
import type { MediaBlock, MediaEntry } from '../../../config/understanding-config.ts';
import { AppError, asAppError } from '../../../core/errors.ts';
import type { MediaAbility } from '../../../core/media-provider.ts';
import type { Attempt, MediaCapability } from '../../../core/understanding.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AttachmentFile } from '../attachments.ts';
import type { Scene } from '../scene.ts';
import { sizeText } from '../size-text.ts';
import { isCommand } from './configured-entries.ts';
import { withDeadline } from './deadline.ts';
import { limitsOf, type Limits } from './limits.ts';
import type { LocalMedia } from './local/local-media.ts';
import type { FoundProvider, MediaModels } from './media-models.ts';
import { shrinkImage, type Picture } from './shrink-image.ts';
import { spokenText } from './silence.ts';
import { trimText } from './trim-text.ts';
import { vendorQuery, vendorSettings } from './vendor-settings.ts';

export interface Question {
  readonly entry: MediaEntry;
  readonly file: AttachmentFile;
  readonly capability: MediaCapability;
  readonly block: MediaBlock;
  readonly scene: Scene;
}

export interface TryDeps {
  readonly models: MediaModels;
  readonly local: Pick<LocalMedia, 'runEntry'>;
  readonly clock: Clock;
}

export interface Tried {
  readonly attempt: Attempt;
  /** Not blank; absent when nothing came of it. */
  readonly text?: string;
  /** The file left this machine, and not because of a key that was missing or refused. */
  readonly sent: boolean;
}

/** Rejects only with `aborted`. */
export async function tryEntry(question: Question, deps: TryDeps): Promise<Tried> {
  const { entry, block, capability, scene, file } = question;
  const who = label(entry);
  const limits = limitsOf(capability, block, entry);
  const since = deps.clock.monotonic();
  const log = scene.log.child({ capability, attachment: file.index });
  scene.progress(`${VERBS[capability]} ${file.name} with ${entry.command ?? [entry.provider, entry.model].filter(Boolean).join('/')}`);
  let sent = false;
  const ended = (rest: Omit<Attempt, 'type' | 'ms'>, text?: string): Tried => {
    const attempt: Attempt = { ...who, ...rest, ms: Math.round(deps.clock.monotonic() - since) };
    log[attempt.outcome === 'failed' ? 'warn' : 'debug']('media.attempt', { ...attempt });
    return { attempt, sent, ...(text ? { text } : {}) };
  };
  try {
    if ((file.size ?? 0) > limits.maxBytes) throw new AppError('too_large', `it is larger than ${sizeText(limits.maxBytes)}`);
    // A command keeps its own time and is killed on it; ours stands behind.
    const ms = limits.timeoutMs + (isCommand(entry) ? GRACE_MS : 0);
    const answer: Answer = await withDeadline({ clock: deps.clock, ms, signal: scene.signal }, (signal) =>
      isCommand(entry) ? deps.local.runEntry(entry, file, capability, limits, { ...scene, signal }) : askVendor({ ...question, limits, signal, onSend: () => { sent = true; } }, deps));
    const text = trimText(capability === 'audio' ? spokenText(answer.text) : answer.text, limits.maxChars);
    const { provider, model, change } = answer;
    return text ? ended({ provider, model, outcome: 'success', ...(change ? { reason: change } : {}) }, text) : ended({ outcome: 'skipped', reason: 'empty output' });
  } catch (error) {
    if (scene.signal.aborted) throw asAppError(error, 'aborted');
    const failure = asAppError(error);
    if (failure.code === 'auth') sent = false;
    return ended(outcomeOf(failure));
  }
}

/** For a command that does not die. */
const GRACE_MS = 5000;

const VERBS: Readonly<Record<MediaCapability, string>> = { image: 'Looking at', audio: 'Listening to', video: 'Watching' };

/** How an entry is called in a record before it has answered. */
function label(entry: MediaEntry): Pick<Attempt, 'type' | 'command' | 'provider' | 'model'> {
  if (!isCommand(entry)) return { type: 'provider', ...(entry.provider ? { provider: entry.provider } : {}), ...(entry.model ? { model: entry.model } : {}) };
  return { type: 'cli', ...(entry.command ? { command: entry.command, provider: entry.command, model: entry.command } : {}) };
}

interface Answer {
  readonly text: string;
  readonly provider: string;
  readonly model: string;
  /** What the file had to become first. */
  readonly change?: string;
}

interface VendorQuestion extends Question {
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** The file is about to leave this machine. */
  onSend(): void;
}

async function askVendor({ entry, block, capability, file, limits, signal, onSend }: VendorQuestion, { models }: TryDeps): Promise<Answer> {
  const found = await models.find(entry.provider ?? '');
  if (!found) throw new AppError('not_found', `there is no model vendor ${entry.provider}`);
  const ability = abilityOf(found, capability);
  const model = entry.model?.trim() || ability.defaultModel;
  if (!model) throw new AppError('invalid', `${found.id} has no default model for this; name one`);
  const { data, mime, change } = await takeable({ file, capability, ability, vendor: found.id, limits });
  const { prompt, language } = limits;
  const query = vendorQuery(found.id, block, entry);
  signal.throwIfAborted();
  onSend();
  const answer = await ability.run(
    { data, mime, fileName: file.name, model, signal, ...(prompt ? { prompt } : {}), ...(language ? { language } : {}), ...(query ? { query } : {}) },
    vendorSettings(found.settings, block, entry),
  );
  return { ...answer, provider: found.id, ...(change ? { change } : {}) };
}

function abilityOf({ id, media }: FoundProvider, capability: MediaCapability): MediaAbility {
  const ability = media[capability];
  if (!ability) throw new AppError('unsupported', `${id} has no ${capability} understanding`);
  return ability;
}

/** Request bodies carry films as base64. */
const MAX_FILM_BASE64 = 70 * 1024 * 1024;

/** What of the file is sent, after everything that speaks against sending it. */
async function takeable({ file, capability, ability, vendor, limits }: { file: AttachmentFile; capability: MediaCapability; ability: MediaAbility; vendor: string; limits: Limits }): Promise<Picture> {
  if (capability === 'video') refuseHeavyFilm(file.size ?? 0);
  const read: Picture = { data: await file.bytes(limits.maxBytes), mime: file.mime };
  const ready = capability === 'image' ? await shrinkImage(read, { accepts: ability.accepts }) : read;
  if (ability.accepts && !ability.accepts.includes(ready.mime)) throw new AppError('unsupported', `${vendor} takes no ${ready.mime}`);
  return ready;
}

function refuseHeavyFilm(bytes: number): void {
  if (Math.ceil(bytes / 3) * 4 > MAX_FILM_BASE64) throw new AppError('too_large', `it is larger than ${sizeText(MAX_FILM_BASE64)} when encoded`);
}

/** Longer than this, a reason tells a story. */
const MAX_REASON = 300;

/** A stable word first, where there is one. What was never going to work is skipped, what should have worked has failed. */
function outcomeOf({ code, message }: AppError): Pick<Attempt, 'outcome' | 'reason'> {
  const text = trimText(message.replace(/\s+/g, ' '), MAX_REASON);
  if (code === 'too_large') return { outcome: 'skipped', reason: `maxBytes: ${text}` };
  if (code === 'unsupported') return { outcome: 'skipped', reason: `unsupported: ${text}` };
  return { outcome: 'failed', reason: code === 'timeout' ? `timeout: ${text}` : text };
}
