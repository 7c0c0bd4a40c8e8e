/**
 * Creates a media ability from its vendor's request and response formats. Limits and errors are the same for all
 * vendors.
 */
import type { z } from 'zod';
import { AppError, type ErrorCode } from '../core/errors.ts';
import type { MediaHandler, MediaRequest } from '../core/media-provider.ts';
import { present } from '../core/present.ts';
import type { ProviderSettings } from '../core/provider.ts';
import type { MediaCapability } from '../core/understanding.ts';
import { apiKeyFor, type KeyOwner } from './api-key.ts';
import { askVendor, shown, type VendorCall } from './media-call.ts';

/** What only the vendor's protocol knows about one ability. */
export interface MediaWire<Answer> extends Pick<MediaHandler, 'defaultModel' | 'rank' | 'accepts' | 'spellings'> {
  readonly capability: MediaCapability;
  /** Whose key is needed; undefined where none is. */
  owner(settings: ProviderSettings): KeyOwner | undefined;
  /** The vendor's name for what somebody wrote. */
  modelName?(model: string): string;
  /** The header that carries the key, and the word before it. */
  readonly auth: { readonly header: string; readonly scheme?: string };
  /** The one request. May reject what it can tell beforehand with `AppError`. */
  ask(request: MediaRequest, settings: ProviderSettings): VendorCall | Promise<VendorCall>;
  readonly answer: z.ZodType<Answer>;
  /** What was said, or why nothing was. */
  read(answer: Answer, headers: Headers): string | Refusal;
}

/** All of it but how the answer reads. */
type Asking = Omit<MediaWire<unknown>, 'answer' | 'read'>;

/** The vendor answered, and its answer is no. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly why: string;
}

const TASKS = {
  image: { task: 'image description', gives: 'text', prompt: 'Describe the image.' },
  audio: { task: 'transcription', gives: 'transcript', prompt: undefined },
  video: { task: 'video description', gives: 'text', prompt: 'Describe the video.' },
} as const;

const BEARER = { header: 'authorization', scheme: 'Bearer' } as const;

/**
 * The request is trimmed and checked, sent once, and answered with text that is not blank or one `AppError` without
 * secrets.
 */
export function mediaHandler<Answer>(wire: MediaWire<Answer>): MediaHandler {
  const { capability, defaultModel, rank, accepts, spellings } = wire;
  return {
    ...present({ defaultModel, rank, accepts, spellings }),
    async run(request, settings) {
      const what = `${settings.id} ${TASKS[capability].task}`;
      const requested = readable(request, { wire, what });
      const { answer, headers } = await askVendor(
        { ...(await wire.ask(requested, settings)), key: keyHeader(settings, wire) },
        { what, settings, request: requested, shape: wire.answer },
      );
      const said = wire.read(answer, headers);
      if (typeof said !== 'string')
        throw new AppError(said.code, `${what} failed: ${shown(said.why, settings)}`, {
          details: { provider: settings.id, model: requested.model },
        });
      const text = said.trim();
      if (!text) throw new AppError('bad_response', `${what} gave no ${TASKS[capability].gives}.`);
      return { text, model: requested.model };
    },
  };
}

/** The request trimmed, with the defaults filled in; what cannot work is refused here, before anything is sent. */
function readable(
  { model, mime, prompt, language, ...rest }: MediaRequest,
  { wire, what }: { wire: Asking; what: string },
): MediaRequest {
  const { capability, defaultModel, accepts, modelName } = wire;
  const kind = /^[\w.+-]+\/[\w.+-]+/.exec(mime.trim().toLowerCase())?.[0].replace(/^image\/jpg$/, 'image/jpeg') ?? '';
  const named = model.trim() || defaultModel;
  const asks = prompt?.trim() || TASKS[capability].prompt;
  const tongue = language?.trim();
  if (!named)
    throw new AppError('invalid', `${what} has no default model. Set one in tools.media.${capability}.models.`);
  if (accepts && !accepts.includes(kind))
    throw new AppError('unsupported', `${what} takes ${accepts.join(', ')}; this is ${kind || 'of unknown type'}.`);
  return {
    ...rest,
    model: modelName?.(named) ?? named,
    mime: kind,
    ...present({ prompt: asks || undefined, language: tongue || undefined }),
  };
}

/**
 * A server of one's own may need no key; the vendor's does. A header of the same name in the settings stands in for it.
 */
function keyHeader(settings: ProviderSettings, { auth, owner }: Asking): Readonly<Record<string, string>> {
  const { header, scheme } = settings.authHeader ? BEARER : auth;
  const inSettings = Object.keys(settings.headers ?? {}).some((name) => name.toLowerCase() === header);
  if (inSettings) return {};
  const vendor = owner(settings);
  const key = settings.apiKey || (vendor && !settings.baseUrl ? apiKeyFor(settings, vendor) : undefined);
  return key ? { [header]: scheme ? `${scheme} ${key}` : key } : {};
}
