/**
 * One message through understanding: its files are opened, then pictures and recordings, documents, and last the links
 * in its words.
 */
import type { LinksConfig, MediaConfig } from '../../config/understanding-config.ts';
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Attachment, ChatAddress, InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { Route } from '../../core/route.ts';
import type { LinkDecision, MediaDecision, Note, Understanding } from '../../core/understanding.ts';
import type { OpenAttachments } from './attachments.ts';
import { contextView, type SessionFacts } from './context-view.ts';
import type { ModelPictures } from './pictures/model-pictures.ts';
import { fitPictures, type FitPicturesDeps } from './pictures/fit-pictures.ts';
import type { PageVision } from './files/read-pages.ts';
import type { Files } from './files/understand-files.ts';
import { shownUrl } from './links/shown-url.ts';
import type { Links } from './links/understand-links.ts';
import { userText } from './media/format.ts';
import type { Media } from './media/understand-media.ts';
import { nothingSent } from './nothing-sent.ts';
import type { UnderstandingContext } from './context.ts';

export interface UnderstandDeps extends FitPicturesDeps {
  readonly media: Omit<Media, 'who'>;
  readonly files: Files;
  readonly links: Links;
  open(attachments: readonly Attachment[], signal: AbortSignal, from: ChatAddress): Promise<OpenAttachments>;
  /** How pictures of this message are understood. */
  modelPictures(signal: AbortSignal): ModelPictures;
  /** The chat model of this message takes pictures. */
  seesImages(context: UnderstandingContext): Promise<boolean>;
}

export interface UnderstandRequest {
  readonly runId: string;
  readonly message: InboundMessage;
  readonly route: Route;
  readonly session: SessionFacts;
  readonly config: { readonly media: MediaConfig; readonly links: LinksConfig | undefined };
  /** The transcript of a recording that was made at admission; it is not made again. */
  readonly transcribed?: Note;
  readonly log: Log;
  readonly signal: AbortSignal;
  progress(text: string): void;
}

/** Rejects only with `aborted`: whatever else goes wrong leaves a decision that says so, and the reply goes on. */
export async function understand(request: UnderstandRequest, deps: UnderstandDeps): Promise<Understanding> {
  const { message, config, signal } = request;
  await using opened = await deps.open(message.attachments, signal, message.address);
  const modelPictures = deps.modelPictures(signal);
  const ofFiles =
    opened.files.length > 0
      ? await understandAttachments(contextOf(request, opened, { modelPictures, notes: [] }), request, deps)
      : { notes: [], media: nothingSent(config.media) };
  const links = await understandLinks(
    contextOf(request, opened, { modelPictures, notes: ofFiles.notes }),
    config.links,
    deps,
  );
  const claimed = new Set(ofFiles.notes.flatMap((note) => ('attachment' in note ? note.attachment : [])));
  const pictures = await fitPictures(
    { files: opened.files, attachments: opened.resolved(), claimed, modelPictures },
    deps,
  );
  request.log.debug('understanding.decisions', { runId: request.runId, ...documented(links.decision, ofFiles.media) });
  return {
    notes: [...ofFiles.notes, ...pictures.notes, ...links.notes],
    media: ofFiles.media,
    attachments: pictures.attachments,
    ...present({ links: links.decision }),
  };
}

/** The decisions by their documented names, for readers of the log; addresses without possible secrets. */
const documented = (links: LinkDecision | undefined, media: readonly MediaDecision[]) => ({
  LinkUnderstandingDecisions: links
    ? [{ ...links, urls: links.urls.map((one) => ({ ...one, url: shownUrl(one.url) })) }]
    : [],
  MediaUnderstandingDecisions: media,
});

/** What the steps are handed; `notes` is what earlier ones found. */
export const contextOf = (
  request: UnderstandRequest,
  { files, resolved }: OpenAttachments,
  { modelPictures, notes }: { readonly modelPictures: ModelPictures; readonly notes: readonly Note[] },
): UnderstandingContext => {
  const { runId, message, route, session, log, signal, progress } = request;
  return {
    runId,
    message,
    route,
    files,
    modelPictures,
    log,
    signal,
    progress,
    template: contextView({ message, route, session, files, attachments: resolved(), notes }),
  };
};

interface OfAttachments {
  readonly notes: readonly Note[];
  readonly media: readonly MediaDecision[];
}

async function understandAttachments(
  context: UnderstandingContext,
  { config, transcribed }: UnderstandRequest,
  deps: UnderstandDeps,
): Promise<OfAttachments> {
  const media = await orElse(context, 'media', () => deps.media.run(context, config.media, transcribed), {
    notes: [],
    decisions: [],
    claimed: new Set<number>(),
  });
  const vision: PageVision = {
    ofChatModel: () => deps.seesImages(context),
    reader: () => deps.media.pageReader(context, config.media),
  };
  const files = await orElse(
    context,
    'files',
    () => deps.files.run(context, media.claimed, config.media.files, vision),
    undefined,
  );
  return {
    notes: [...media.notes, ...(files?.notes ?? [])],
    media: [...media.decisions, ...(files ? [files.decision] : [])],
  };
}

async function understandLinks(
  context: UnderstandingContext,
  config: LinksConfig | undefined,
  { links }: UnderstandDeps,
): Promise<{ notes: readonly Note[]; decision?: LinkDecision }> {
  // What was said counts as written: a link in a voice note is one in the message.
  const text = userText(context.message.text) ?? String(context.template['Transcript'] ?? '');
  if (!links.wanted(text, config)) return { notes: [] };
  return orElse(context, 'links', () => links.run(context, text, config), {
    notes: [],
    decision: { outcome: 'skipped', urls: [] },
  });
}

/** The error boundary of a step: the reply goes on without its notes. A stop is passed on. */
async function orElse<T>(
  { log, signal, runId }: UnderstandingContext,
  step: string,
  run: () => Promise<T>,
  fallback: T,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (signal.aborted) throw asAppError(error, 'aborted');
    log.error('understanding.failed', { step, runId, error });
    return fallback;
  }
}
