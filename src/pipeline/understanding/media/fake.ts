/**
 * Vendors, local programs, files and a message for tests of the media step; everything counts how often it was asked.
 */
import { mediaSchema, type MediaConfig } from '../../../config/understanding-config.ts';
import { AppError } from '../../../core/errors.ts';
import { silentLog } from '../../../core/log.ts';
import type { MediaHandler, MediaRequest } from '../../../core/media-provider.ts';
import type { Attachment } from '../../../core/message.ts';
import { present } from '../../../core/present.ts';
import type { ProviderSettings } from '../../../core/provider-settings.ts';
import { mainSessionKey } from '../../../core/session-key.ts';
import type { MediaCapability, MediaDecision } from '../../../core/understanding.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import type { AttachmentFile } from '../attachments.ts';
import { createModelPictures } from '../pictures/model-pictures.ts';
import type { UnderstandingContext } from '../context.ts';
import type { FoundEntry, LocalMedia } from './local/local-media.ts';
import type { FilmParts } from './local/film/video.ts';
import type { ActiveModel, FoundProvider, MediaModels } from './media-models.ts';
import { createMedia, type Media, type MediaOutcome } from './understand-media.ts';
import { NOTHING_SAID } from '../../../core/said.ts';

export const media = (over: unknown = {}): MediaConfig => mediaSchema.parse(over);

export interface FakeFile extends Partial<Omit<AttachmentFile, 'bytes' | 'path'>> {
  data?: Uint8Array;
  code?: 'denied' | 'too_large' | 'timeout';
}

const MIMES = { image: 'image/png', audio: 'audio/ogg', video: 'video/mp4', document: 'application/pdf' } as const;

/** Enough of a picture to be taken for one: a PNG of a single pixel, as far as its header tells. */
const PIXEL = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1'),
  Buffer.alloc(2024, 1),
]);

export function file(
  kind: AttachmentFile['kind'],
  { data = kind === 'image' ? PIXEL : Buffer.alloc(2048, 1), code = 'denied', ...over }: FakeFile = {},
): AttachmentFile {
  const index = over.index ?? 0;
  const size = 'size' in over ? over.size : data.length;
  const gone = (): AppError => new AppError(code, over.trouble ?? '');
  return {
    index,
    kind,
    mime: MIMES[kind],
    name: `${kind}-${index + 1}`,
    trouble: undefined,
    ...over,
    size,
    path: async () => {
      if (over.trouble) throw gone();
      return `/media/${kind}-${index + 1}`;
    },
    async bytes(maxBytes) {
      if (over.trouble) throw gone();
      if ((size ?? 0) > maxBytes) throw new AppError('too_large', 'it is too large');
      return Buffer.from(data);
    },
  };
}

export type FileSpec = AttachmentFile['kind'] | readonly [AttachmentFile['kind'], FakeFile];

/** Files get their places in order. */
export const files = (...kinds: FileSpec[]): AttachmentFile[] =>
  kinds.map((kind, index) => (typeof kind === 'string' ? file(kind, { index }) : file(kind[0], { ...kind[1], index })));

export interface FakeContextFacts {
  files?: readonly AttachmentFile[];
  text?: string;
  sent?: readonly Partial<Attachment>[];
  chat?: 'direct' | 'group';
  signal?: AbortSignal;
}

export function context({
  files: given = [],
  text = '',
  sent = [],
  chat = 'direct',
  signal = new AbortController().signal,
}: FakeContextFacts = {}): UnderstandingContext & { readonly reported: string[] } {
  const address = { channel: 'pipe', accountId: 'default', chat: { kind: chat, id: 'c1' } } as const;
  const attachments = given.map(
    ({ kind, mime }, index): Attachment => ({ kind, mime, path: `/media/${index}`, ...sent[index] }),
  );
  const reported: string[] = [];
  return {
    runId: 'r1',
    files: given,
    template: { Body: text },
    modelPictures: createModelPictures({ signal }),
    log: silentLog,
    signal,
    reported: reported,
    progress: (line) => void reported.push(line),
    message: {
      id: 'm1',
      address,
      sender: { id: 'u1' },
      text,
      said: NOTHING_SAID,
      attachments,
      addressesBot: true,
      receivedAt: 5,
    },
    route: { agentId: 'main', sessionKey: mainSessionKey('main'), matchedBy: 'default', replyTo: address },
  };
}

/** One vendor: abilities by capability, each with what it answers; a string is text, an error is thrown. */
export interface FakeVendor extends Partial<Pick<ProviderSettings, 'baseUrl' | 'headers'>> {
  readonly hasKey?: boolean;
  readonly image?: FakeHandler;
  readonly audio?: FakeHandler;
  readonly video?: FakeHandler;
}
interface FakeHandler extends Partial<Omit<MediaHandler, 'run'>> {
  readonly says: Saying;
}
type Saying = string | Error | ((request: MediaRequest) => Promise<string> | string);

export interface Call {
  readonly who: string;
  readonly capability: MediaCapability;
  readonly model?: string;
  readonly request?: MediaRequest;
  readonly settings?: ProviderSettings;
  readonly prompt?: string;
}

export interface Fixture {
  readonly vendors?: Readonly<Record<string, FakeVendor>>;
  readonly active?: ActiveModel;
  readonly imageModels?: readonly string[];
  /** What a command says, by its name. */
  readonly commands?: Readonly<Record<string, string | Error>>;
  readonly found?: Partial<Record<MediaCapability, readonly FoundEntry[]>>;
  readonly film?: FilmParts;
}

export function fixture(facts: Fixture = {}): {
  readonly media: Media;
  readonly calls: Call[];
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly models: MediaModels;
} {
  const calls: Call[] = [];
  const clock = createFakeClock();
  const models = fakeModels(facts, calls);
  return { calls, clock, models, media: createMedia({ models, local: fakeLocal(facts, calls), clock }) };
}

function fakeModels({ vendors = {}, active, imageModels = [] }: Fixture, calls: Call[]): MediaModels {
  const handler = (who: string, capability: MediaCapability, { says, ...facts }: FakeHandler): MediaHandler => ({
    ...facts,
    async run(request, settings) {
      calls.push({ who, capability, model: request.model, request, settings });
      const said = typeof says === 'function' ? await says(request) : says;
      if (said instanceof Error) throw said;
      return { text: said, model: request.model };
    },
  });
  return {
    async find(id): Promise<FoundProvider | undefined> {
      const vendor = vendors[id.toLowerCase()];
      if (!vendor) return undefined;
      const { hasKey = true, image, audio, video, ...settings } = vendor;
      const able = present({
        image: image ? handler(id, 'image', image) : undefined,
        audio: audio ? handler(id, 'audio', audio) : undefined,
        video: video ? handler(id, 'video', video) : undefined,
      });
      return { id: id.toLowerCase(), media: able, settings: { id, models: [], ...settings }, hasKey };
    },
    active: async () => active,
    ids: async () => Object.keys(vendors),
    imageModels: async () => imageModels,
  };
}

function fakeLocal({ commands = {}, found = {}, film }: Fixture, calls: Call[]): LocalMedia {
  return {
    async runEntry(entry, _file, capability, { prompt }) {
      const who = entry.command ?? '';
      calls.push(present({ who, capability, prompt: prompt || undefined }));
      const said = commands[who] ?? new AppError('unavailable', `${who} could not be started`);
      if (said instanceof Error) throw said;
      return { text: said, provider: 'cli', model: who };
    },
    auto: async (capability) => found[capability] ?? [],
    toPng: async () => undefined,
    takesApart: async () => film !== undefined,
    takeApart: async () => film,
  };
}

export const program = (command: string, lastResort = false): FoundEntry => ({
  type: 'cli',
  command,
  args: ['{{MediaPath}}'],
  passEnv: [],
  lastResort,
});

export const of = (outcome: MediaOutcome, capability: string): MediaDecision =>
  outcome.decisions.find((decision) => decision.capability === capability)!;

export const texts = (outcome: MediaOutcome): string[] =>
  outcome.notes.flatMap((note) => (note.kind === 'remark' ? [] : [note.text]));
