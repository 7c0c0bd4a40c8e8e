/** How messages are formatted for one chat, from its platform's capabilities and the configuration. Pure. */
import type { ChannelCapabilities } from '../../core/channel.ts';
import type { ChannelSettings } from '../../config/channel-config.ts';
import type { ChatKind } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { ChunkRules } from './chunk.ts';

export interface DeliveryRules {
  readonly chunks: ChunkRules;
  /** Characters of text that may go with a file. */
  readonly maxCaption: number;
  readonly media: boolean;
  readonly voice: boolean;
  /** Which messages of an answer point at the one it answers. `tags`: only where the model asked. */
  readonly replyTo: 'off' | 'first' | 'all' | 'tags';
  /** Put before final answers; variables are not filled in yet. */
  readonly prefix: string | undefined;
}

export type ChannelPreferences = Partial<Pick<ChannelSettings, 'maxLinesPerMessage'>> &
  Pick<ChannelSettings, 'textChunkLimit' | 'chunkMode' | 'replyToMode' | 'replyToModeByChatType' | 'responsePrefix'>;

/** Used where a platform names none. */
const DEFAULT_LIMIT = 4000;

/** G158: what configuration says of the account, at most what the platform takes. */
export function deliveryRules({
  capabilities,
  settings,
  prefix,
  chatKind,
}: {
  readonly capabilities: Pick<
    ChannelCapabilities,
    'maxTextLength' | 'maxLines' | 'maxCaptionLength' | 'media' | 'voice' | 'replyTo' | 'replyTags'
  >;
  readonly settings: ChannelPreferences;
  /** `messages.responsePrefix`. */
  readonly prefix: string | undefined;
  /** Absent: what holds for all kinds of chat. */
  readonly chatKind?: ChatKind;
}): DeliveryRules {
  const max = capabilities.maxTextLength > 0 ? capabilities.maxTextLength : DEFAULT_LIMIT;
  const ownMode = chatKind && settings.replyToModeByChatType?.[chatKind];
  const replyTo = ownMode ?? settings.replyToMode ?? capabilities.replyTo ?? 'tags';
  const limit = Math.min(settings.textChunkLimit ?? max, max);
  const maxLines = settings.maxLinesPerMessage ?? capabilities.maxLines;
  return {
    chunks: present({ limit, mode: settings.chunkMode, maxLines }),
    maxCaption: Math.min(capabilities.maxCaptionLength ?? max, max),
    media: capabilities.media,
    voice: capabilities.voice,
    replyTo: replyTo === 'off' && capabilities.replyTags ? 'tags' : replyTo,
    prefix: settings.responsePrefix ?? prefix,
  };
}
