/**
 * The parts of understanding that are started and stopped: guard, downloads, egress proxy, document worker, local
 * programs, vendors.
 */
import { join } from 'node:path';
import type { AgentsConfig, ToolsConfig } from '../../agent/config.ts';
import type { Models } from '../../agent/models/create-models.ts';
import { PRODUCT_LABEL } from '../../core/product.ts';
import type { Log } from '../../core/log.ts';
import type { Attachment, ChatAddress, InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { Note, Understanding } from '../../core/understanding.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import { exec } from '../../platform/exec.ts';
import { findProgram } from '../../platform/find-program.ts';
import type { FetchConfig } from '../../platform/net/config.ts';
import { createEgressProxy } from '../../platform/net/egress/egress-proxy.ts';
import { createGuardedFetch, type GuardedFetch } from '../../platform/net/fetch/guarded-fetch.ts';
import { createNetGuard, type FetchRules, type Resolve } from '../../platform/net/guard/guard.ts';
import { sweepScratchFolders } from '../../platform/scratch-folder.ts';
import { userProxy, type Upstream } from '../../platform/net/route/user-proxy.ts';
import type { Downloaded } from '../understanding/attachment-source.ts';
import { openAttachments, type OpenAttachments } from '../understanding/attachments.ts';
import { createFiles } from '../understanding/files/understand-files.ts';
import { createLinks } from '../understanding/links/understand-links.ts';
import { createLocalMedia } from '../understanding/media/local/local-media.ts';
import { maxBytesOf } from '../understanding/media/entries/limits.ts';
import type { PictureQuestion } from '../understanding/media/describe-picture.ts';
import type { Understood } from '../understanding/media/understand-file.ts';
import type { Conversation } from '../understanding/media/media-models.ts';
import { createModelPictures, type ModelPictures } from '../understanding/pictures/model-pictures.ts';
import { createMedia } from '../understanding/media/understand-media.ts';
import type { MediaHandlers } from '../understanding/media/find-handlers.ts';
import { contextOf, understand, type UnderstandRequest } from '../understanding/understand.ts';
import { createMediaModels } from './media-models.ts';
import type { MediaStore } from '../../sessions/media-store.ts';
import { ownPrograms } from './own-programs.ts';
import { NOTHING_SAID } from '../../core/said.ts';

/** The machine it works on, and the product on it. */
export interface UnderstandingMachine {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  readonly version: string;
  /** The installed package or checkout. */
  readonly root: string;
}

export interface UnderstandingPartsDeps {
  readonly machine: UnderstandingMachine;
  readonly media: MediaStore;
  readonly models: Models;
  /** DNS; the system's unless a test says otherwise. */
  readonly resolve?: Resolve;
  config(): {
    readonly agents: AgentsConfig;
    readonly tools: ToolsConfig;
    readonly security: { readonly fetch: FetchConfig };
  };
  /** A file only its channel can fetch; `unavailable` while that is not connected. */
  download(
    from: ChatAddress,
    ref: string,
    limits: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Downloaded>;
  providerIds(): Promise<readonly string[]>;
  /** The model chosen for a session. */
  modelOverride(sessionKey: string): string | undefined;
}

/** What was listened to at the access gate, and the files as they were found on the way: neither is asked for again. */
export interface Transcription {
  readonly note: Note;
  readonly attachments: readonly Attachment[];
}

/** A picture the agent asks about. */
export interface PictureRequest extends Pick<UnderstandRequest, 'runId' | 'route' | 'log' | 'signal' | 'progress'> {
  readonly data: Uint8Array;
  readonly mime: string;
  readonly question: PictureQuestion;
}

export interface UnderstandingParts {
  understand(request: UnderstandRequest): Promise<Understanding>;
  /** The words of the first recording; undefined when there are none. */
  transcribe(request: UnderstandRequest): Promise<Transcription | undefined>;
  describe(request: PictureRequest): Promise<Understood>;
  /** Through the guard. */
  readonly fetch: GuardedFetch;
  /** Who would process attachments of messages in a conversation. */
  who(at: Conversation): Promise<readonly MediaHandlers[]>;
  close(): Promise<void>;
}

/** Milliseconds a file may take to come from its platform. */
const DOWNLOAD_MS = 60_000;

export function createUnderstandingParts(deps: UnderstandingPartsDeps): UnderstandingParts {
  const { machine, config } = deps;
  const { env, log, clock } = machine;
  const tempDir = join(env.stateDir, 'tmp');
  void sweepScratchFolders(tempDir, clock.now()).catch((error: unknown) => log.warn('understanding.sweep', { error }));
  const { rules, guard, fetch, egress } = createNetwork(deps);
  const reader = createDocumentReader({ log, vars: () => env.vars });
  const models = createMediaModels({
    models: deps.models,
    log,
    config,
    providerIds: deps.providerIds,
    override: ({ route }) => deps.modelOverride(route.sessionKey),
  });
  const local = createLocalMedia({ vars: () => env.vars, exec, findProgram, tempDir, clock, log });
  const media = createMedia({ models, clock, local });
  const modelPictures = (signal: AbortSignal): ModelPictures =>
    createModelPictures({ toPng: (file) => local.toPng(file, signal), signal });
  const mediaAccess = createMediaAccess(deps, fetch);
  const links = createLinks({
    guard,
    proxy: egress,
    rules,
    vars: () => env.vars,
    ownPrograms: ownPrograms(machine.root),
    tempDir,
    clock,
  });
  const partsFor = (sessionKey: string) => ({
    media,
    links,
    modelPictures,
    open: mediaAccess.opening(sessionKey),
    keep: mediaAccess.keeping(sessionKey),
    files: createFiles({ reader, keep: mediaAccess.keeping(sessionKey), log }),
    seesImages: async (context: Parameters<typeof models.active>[0]) =>
      (await models.active(context))?.seesImages ?? false,
  });

  return {
    understand: (request) => understand(request, partsFor(request.route.sessionKey)),
    fetch,
    transcribe: (request) => transcribe(request, { media, modelPictures, mediaAccess }),
    describe: (request) =>
      describe(request, { media, modelPictures, mediaAccess, clock, config: config().tools.media }),
    who: (at) => media.who(at, config().tools.media),
    async close() {
      await Promise.all([egress.close(), reader.close()]);
    },
  };
}

/** What goes out: addresses through the guard, commands through the egress proxy. */
function createNetwork({ config, machine, resolve }: UnderstandingPartsDeps) {
  const { env, log, version } = machine;
  const rules = (): FetchRules => {
    const { proxy: _secret, ...open } = config().security.fetch;
    return open;
  };
  const guard = createNetGuard({ rules, ...present({ resolve }) });
  const upstream: Upstream = (target) =>
    userProxy({ configured: config().security.fetch.proxy, vars: env.vars })(target);
  const fetch = createGuardedFetch({ guard, upstream, userAgent: `${PRODUCT_LABEL}/${version}` });
  return { rules, guard, fetch, egress: createEgressProxy({ guard, upstream, log }) };
}

type MediaAccess = ReturnType<typeof createMediaAccess>;

/** Files of messages, opened and kept for their conversation. */
function createMediaAccess({ media, download, config, machine }: UnderstandingPartsDeps, fetch: GuardedFetch) {
  const { log } = machine;
  /** What is fetched or made while a message is understood belongs to its conversation. */
  const keeping =
    (sessionKey: string) =>
    (data: Uint8Array, { mime, name }: { readonly mime: string; readonly name: string }): Promise<Attachment> =>
      media.keep({ data, mime, name }, sessionKey);
  const opening =
    (sessionKey: string) =>
    (attachments: readonly Attachment[], signal: AbortSignal, from: ChatAddress): Promise<OpenAttachments> =>
      openAttachments(attachments, {
        download: (ref, limits) => download(from, ref, limits),
        fetch,
        keep: keeping(sessionKey),
        signal,
        log,
        roots: [media.folder],
        timeoutMs: DOWNLOAD_MS,
        maxBytes: (kind) =>
          kind === 'document' ? config().tools.media.files.maxBytes : maxBytesOf(kind, config().tools.media),
      });
  return { keeping, opening };
}

interface PartsInUse {
  readonly media: ReturnType<typeof createMedia>;
  readonly mediaAccess: MediaAccess;
  modelPictures(signal: AbortSignal): ModelPictures;
}

async function transcribe(
  request: UnderstandRequest,
  { media, mediaAccess, modelPictures }: PartsInUse,
): Promise<Transcription | undefined> {
  // Only what is listened to is fetched: whether the message gets in is what is being asked.
  const { attachments } = request.message;
  const first = attachments.findIndex(({ kind, recorded }) => kind === 'audio' && recorded);
  await using opened = await mediaAccess.opening(request.route.sessionKey)(
    attachments.slice(first, first + 1),
    request.signal,
    request.message.address,
  );
  const note =
    first < 0
      ? undefined
      : await media.transcribe(
          contextOf(request, opened, { modelPictures: modelPictures(request.signal), notes: [] }),
          request.config.media,
        );
  return note?.kind === 'audio'
    ? { note: { ...note, attachment: first }, attachments: attachments.with(first, opened.resolved()[0]!) }
    : undefined;
}

async function describe(
  { data, mime, question, ...turn }: PictureRequest,
  {
    media,
    mediaAccess,
    modelPictures,
    clock,
    config,
  }: PartsInUse & { readonly clock: Clock; readonly config: ToolsConfig['media'] },
): Promise<Understood> {
  const { sessionKey } = turn.route;
  const attachment = await mediaAccess.keeping(sessionKey)(data, { mime, name: 'picture' });
  await using opened = await mediaAccess.opening(sessionKey)([attachment], turn.signal, turn.route.replyTo);
  const message: InboundMessage = {
    id: turn.runId,
    address: turn.route.replyTo,
    sender: { id: 'agent' },
    text: question.prompt,
    said: NOTHING_SAID,
    attachments: [attachment],
    addressesBot: true,
    receivedAt: clock.now(),
  };
  const request: UnderstandRequest = { ...turn, message, session: {}, config: { media: config, links: undefined } };
  // Awaited here: the picture is closed when this function is left.
  return await media.describe(
    contextOf(request, opened, { modelPictures: modelPictures(request.signal), notes: [] }),
    config,
    question,
  );
}
