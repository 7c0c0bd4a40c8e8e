/** What understanding adds to a message, and the record of its decisions. */
import type { Attachment } from './message.ts';

/** Kinds of files that a model can make text of. */
export const MEDIA_CAPABILITIES = ['image', 'audio', 'video'] as const;
/** One of `MEDIA_CAPABILITIES`. */
export type MediaCapability = (typeof MEDIA_CAPABILITIES)[number];

/** Text from outside a person's own words; it reaches the agent and is inert for commands. */
export type Note =
  /** A description or a transcript. `attachment` is the index in the message. */
  | {
      readonly kind: MediaCapability;
      readonly attachment: number;
      readonly text: string;
      readonly provider: string;
      readonly model: string;
    }
  /** The text of a document; `pages` are pictures of pages that had no text. */
  | {
      readonly kind: 'file';
      readonly attachment: number;
      readonly name: string;
      readonly mime: string;
      readonly text: string;
      readonly pages?: readonly Attachment[];
    }
  /** `source`: the configured command, unchanged. */
  | { readonly kind: 'link'; readonly url: string; readonly source: string; readonly text: string }
  /** Why an attachment gave no text. The agent reads `text`, the person gets `tell` once. */
  | { readonly kind: 'remark'; readonly attachment: number; readonly text: string; readonly tell?: string };

/** One thing that was tried. Providers name provider and model; a CLI names its command. */
export interface Attempt {
  readonly type: 'cli' | 'provider';
  readonly command?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly outcome: 'success' | 'skipped' | 'failed';
  /** Begins with a stable word where there is one: `empty output`, `maxBytes`, `timeout`, `unsupported`, `budget`. */
  readonly reason?: string;
  readonly ms?: number;
  /** Connections a link's command made through the egress proxy. */
  readonly reached?: readonly Reached[];
}

/** One connection through the egress proxy: what was asked for, which address it went to or why it did not. */
export interface Reached {
  readonly host: string;
  readonly port: number;
  readonly address?: string;
  readonly blocked?: string;
}

/** One element of `LinkUnderstandingDecisions`. */
export interface LinkDecision {
  readonly outcome: 'success' | 'skipped' | 'disabled' | 'scope-deny' | 'no-links';
  readonly urls: readonly LinkUrlDecision[];
}

/** What became of one link of a message, and through whom. */
export interface LinkUrlDecision {
  readonly url: string;
  readonly attempts: readonly Attempt[];
  readonly chosen?: Attempt;
  /** Why the guard refused it; no command was run. */
  readonly blocked?: string;
  /** The text came from the cache. */
  readonly cached?: boolean;
  readonly ms?: number;
}

/** One element of `MediaUnderstandingDecisions`. */
export interface MediaDecision {
  readonly capability: MediaCapability | 'file';
  readonly outcome: 'success' | 'skipped' | 'disabled' | 'no-attachment' | 'scope-deny' | 'failed';
  readonly attachments: readonly AttachmentDecision[];
}

/** What became of one file of a message, and through whom. */
export interface AttachmentDecision {
  readonly attachmentIndex: number;
  readonly name?: string;
  readonly attempts: readonly Attempt[];
  readonly chosen?: Attempt;
  /** What became of it when no attempt was made: `handed to the chat model`, `attachment limit`, `no model`, … */
  readonly reason?: string;
  readonly ms?: number;
}

/** All that understanding made of one message; kept with it, so that a crash does not ask twice. */
export interface Understanding {
  readonly notes: readonly Note[];
  /** At most one; absent when the message has no link and no attempt was made. */
  readonly links?: LinkDecision;
  readonly media: readonly MediaDecision[];
  /** The message's attachments in their order, downloaded and with the type their bytes show. */
  readonly attachments: readonly Attachment[];
}
