/** What the contract suite needs to know about a channel. */
import type { ChannelPlugin } from '../../core/channel.ts';
import type { Chat, ChannelPlatform } from '../channel-platform.ts';

export interface ChannelContract {
  readonly plugin: ChannelPlugin;
  start(): Promise<ChannelPlatform>;
  readonly chats: { readonly direct: Chat; readonly group: Chat; readonly thread?: Chat };
  /** Stable ids of two people; the direct chat is Ann's. */
  readonly people: { readonly ann: string; readonly bob: string };
  /**
   * What the platform does not say: that a message was passed on, was changed, or that a recording is a voice note; or
   * who is in a chat, where nothing asks for it either.
   */
  readonly untold?: readonly ('forwarded' | 'edited' | 'recorded' | 'members')[];
}
