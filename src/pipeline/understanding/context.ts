/** What every step of understanding is handed: the message, where it goes, its files, and the limits of the moment. */
import type { Log } from '../../core/log.ts';
import type { InboundMessage } from '../../core/message.ts';
import type { Route } from '../../core/route.ts';
import type { AttachmentFile } from './attachments.ts';
import type { ModelPictures } from './pictures/model-pictures.ts';
import type { TemplateContext } from './template.ts';

export interface UnderstandingContext {
  readonly runId: string;
  readonly message: InboundMessage;
  readonly route: Route;
  /** The message's attachments in order; the bytes are downloaded once for all steps. */
  readonly files: readonly AttachmentFile[];
  /** A picture among them as the chat model may be shown it. */
  readonly modelPictures: ModelPictures;
  /** The documented context fields (`Body`, `RawBody`, `From`, …) for templates. */
  readonly template: TemplateContext;
  readonly log: Log;
  /** Fires when the turn is stopped. */
  readonly signal: AbortSignal;
  /** One short sentence for observers: "Reading https://… with link-understand". */
  progress(text: string): void;
}
