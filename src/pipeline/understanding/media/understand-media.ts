/** Pictures are described, recordings transcribed, films described; whatever gives no text is named with its reason. */
import { asAppError } from '../../../core/errors.ts';
import { MEDIA_CAPABILITIES, type MediaDecision, type Note } from '../../../core/understanding.ts';
import type { MediaConfig } from '../../../config/understanding-config.ts';
import { inParallel } from '../in-parallel.ts';
import type { UnderstandingContext } from '../context.ts';
import { openMediaRun, type MediaDeps } from './media-run.ts';
import { describePicture, type PictureQuestion } from './describe-picture.ts';
import type { Understood } from './understand-file.ts';
import { pageReader, type PageReader } from './read-pages.ts';
import { summary } from './status-line.ts';
import type { Conversation } from './media-models.ts';
import { findHandlers, type MediaHandlers } from './find-handlers.ts';
import { brokenPart, transcribeFirst, understandCapability } from './understand-capability.ts';

export type { MediaDeps } from './media-run.ts';

export interface MediaOutcome {
  /** In the order of the blocks: pictures, recordings, films, each with its remarks. */
  readonly notes: readonly Note[];
  /** One per capability, always. */
  readonly decisions: readonly MediaDecision[];
  /** Attachments this step has spoken for; pictures handed to a chat model that sees are not among them. */
  readonly claimed: ReadonlySet<number>;
}

export interface Media {
  /** `heard`: what `transcribe` answered for this message; it is not asked again. Rejects only with `aborted`. */
  run(context: UnderstandingContext, config: MediaConfig, transcribed?: Note): Promise<MediaOutcome>;
  /**
   * The first recording of the message, so that a group's mention gate can read it; undefined when nothing came of it.
   * Rejects only with `aborted`.
   */
  transcribe(context: UnderstandingContext, config: MediaConfig): Promise<Note | undefined>;
  /** Reads pages of documents that are nothing but pictures; undefined when nobody can. */
  pageReader(context: UnderstandingContext, config: MediaConfig): Promise<PageReader | undefined>;
  /** What the first file of the scene, a picture, shows. Rejects only with `aborted`. */
  describe(context: UnderstandingContext, config: MediaConfig, question: PictureQuestion): Promise<Understood>;
  /** For people who want to know: nobody is asked about anything. */
  who(at: Conversation, config: MediaConfig): Promise<readonly MediaHandlers[]>;
}

export function createMedia(deps: MediaDeps): Media {
  return {
    async run(context, config, transcribed) {
      const run = openMediaRun(context, config, deps);
      const parts = await inParallel(MEDIA_CAPABILITIES, config.concurrency, (capability) =>
        understandCapability(capability, run, capability === 'audio' ? transcribed : undefined).catch(
          (error: unknown) => {
            if (context.signal.aborted) throw asAppError(error, 'aborted');
            context.log.error('media.failed', { capability, error });
            return brokenPart(capability, context.files, error);
          },
        ),
      );
      const notes = parts.flatMap((part) => part.notes);
      for (const { decision } of parts)
        if (decision.attachments.length > 0) context.log.debug('media.summary', { text: summary(decision) });
      return {
        notes,
        decisions: parts.map(({ decision }) => decision),
        claimed: new Set(notes.flatMap((note) => ('attachment' in note ? note.attachment : []))),
      };
    },
    async transcribe(context, config) {
      try {
        return await transcribeFirst(openMediaRun(context, config, deps));
      } catch (error) {
        if (context.signal.aborted) throw asAppError(error, 'aborted');
        context.log.error('media.failed', { capability: 'audio', error });
        return undefined;
      }
    },
    describe: (context, config, question) => describePicture(openMediaRun(context, config, deps), question),
    who: (at, config) => findHandlers(at, config, deps),
    pageReader: (context, config) => pageReader(openMediaRun(context, config, deps)),
  };
}
