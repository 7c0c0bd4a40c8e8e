/** Finds the owner of the resource in an access question, with the functions of the access checks. */
import { isAbsolute, normalize, sep } from 'node:path';
import type { ResourceKind } from '../../core/access-table.ts';
import type { Home } from '../../core/authority.ts';
import { AppError } from '../../core/errors.ts';
import type { NamedThing } from '../../core/explain-access.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { ChannelService } from '../../host/channel-services.ts';
import type { FeatureParts, FindThing as FindFeatureThing } from '../../host/feature.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { head } from '../../core/cut.ts';
import { present } from '../../core/present.ts';
import type { MediaStore } from '../../sessions/media-store.ts';

export interface FindThingDeps {
  readonly sessions: Pick<Sessions, 'get'>;
  readonly media: Pick<MediaStore, 'folder' | 'folderOf'>;
  canonicalKey(raw: string): string;
  /** A target as people write them → the chat that is meant. */
  resolve: ChannelService['resolve'];
  /** Finders that features bring, by kind. */
  readonly things: NonNullable<FeatureParts['things']>;
}

export type FindThing = (kind: ResourceKind, id: string, home: Home) => Promise<NamedThing>;

/** Throws `not_found` for what is not there, `invalid` for kinds of which there is but one. */
export function createFindThing(deps: FindThingDeps): FindThing {
  const finders: Readonly<Partial<Record<ResourceKind, FindFeatureThing>>> = {
    ...deps.things,
    async session(id) {
      const sessionKey = deps.canonicalKey(id);
      const startedBy = (await deps.sessions.get(sessionKey))?.spawnedBy;
      return {
        words: `the session ${sessionKey}${startedBy === undefined ? '' : `, started by ${startedBy}`}`,
        of: { sessionKey, startedBy: startedBy === undefined ? [] : [startedBy] },
      };
    },
    async conversation(id, { address: own }) {
      const address =
        id === own.chat.id ? own : deps.resolve({ to: id, channel: own.channel, accountId: own.accountId });
      return { words: `the conversation ${chatWords(address)}`, of: { address } };
    },
    async 'received-file'(path, { sessionKey }) {
      if (!isAbsolute(path) || !lies(deps.media.folder, path))
        throw new AppError('invalid', `Name a received file by its absolute path below ${deps.media.folder}.`);
      const own = lies(deps.media.folderOf(sessionKey), path);
      return {
        words: own ? `a file that came in ${sessionKey}` : 'a file that came in another conversation',
        ...present({ of: own ? { sessionKey } : undefined }),
      };
    },
  };
  return (kind, id, home) => {
    const find = finders[kind];
    if (!find)
      throw new AppError(
        'invalid',
        `There is only one ${kind}; leave out ":${head(id, 64)}". Only these take an id: ` +
          `${Object.keys(finders).join(', ')}.`,
      );
    return find(id, home);
  };
}

/** By its name alone: nothing is opened. */
const lies = (folder: string, path: string): boolean => normalize(path).startsWith(`${folder}${sep}`);

const chatWords = ({ channel, chat, threadId }: ChatAddress): string =>
  `${channel} ${chat.kind} ${chat.id}${threadId === undefined ? '' : `, thread ${threadId}`}`;
