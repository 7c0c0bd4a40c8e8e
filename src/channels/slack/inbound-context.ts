/** What reading an update needs: the bot's identity, names for ids, and the chat's kind. Pure. */
import { present } from '../../sdk/index.ts';
import type { ChatKind, InboundMessage, PlaceNames } from '../../sdk/index.ts';
import type { SlackSettings } from './config.ts';
import type { KnownNames } from './markdown.ts';
import type { Room, User } from './names.ts';
import { chatKind } from './target.ts';
import type { Update } from './update.ts';

export interface Self {
  readonly userId: string;
  readonly botId?: string;
  readonly teamId?: string;
  readonly teamName?: string;
  readonly handle?: string;
}

export interface InboundContext {
  readonly accountId: string;
  readonly self: Self;
  readonly config: Pick<SlackSettings, 'allowBots' | 'reactionNotifications' | 'reactionAllowlist' | 'slashCommand'>;
  readonly users: ReadonlyMap<string, User>;
  readonly rooms: ReadonlyMap<string, Room>;
  kindOf(chat: string): ChatKind | undefined;
  /** The thread a message of ours was sent into. */
  threadOf(chat: string, ts: string): string | undefined;
  readonly starter?: NonNullable<InboundMessage['threadStarter']>;
  /** Names of the commands that can be given after the slash command. */
  readonly commands: ReadonlySet<string>;
  readonly now: number;
}

interface Spot {
  readonly chat: string;
  readonly type: string | undefined;
  readonly userId: string;
  readonly threadId?: string;
  readonly via?: string;
}

/** Where it was said. A direct chat goes by the person's id, as allowlists and bindings spell it. */
export function placeOf(
  { chat, type, userId, threadId, via }: Spot,
  { teamId = '' }: Update,
  context: InboundContext,
): Pick<InboundMessage, 'address' | 'spaceId' | 'place'> {
  const { self, rooms } = context;
  const kind = type === undefined ? (context.kindOf(chat) ?? chatKind(chat)) : chatKind(chat, type);
  const room = rooms.get(chat);
  const space = teamId || self.teamId;
  const place: PlaceNames = present({
    chat: room?.name && kind !== 'direct' ? room.name : undefined,
    space: self.teamName && space === self.teamId ? self.teamName : undefined,
    members: room?.members,
  });
  return {
    address: {
      channel: 'slack',
      accountId: context.accountId,
      chat: { kind, id: kind === 'direct' ? userId : chat },
      ...present({ threadId: threadId || undefined, via: via || undefined }),
    },
    ...present({ spaceId: space || undefined, place: Object.keys(place).length > 0 ? place : undefined }),
  };
}

export const knownNames = ({ users, rooms, self }: Pick<InboundContext, 'users' | 'rooms' | 'self'>): KnownNames => ({
  user: (id) => (id === self.userId ? (self.handle ?? users.get(id)?.name) : users.get(id)?.name),
  chat: (id) => rooms.get(id)?.name,
});
