/** Records messages sent without a turn in the chat's session, so that its next turn knows of them. */
import type { ChatAddress } from '../../core/message.ts';
import type { MediaRef } from '../../core/reply.ts';
import type { AssistantMessage } from '../../core/transcript.ts';
import type { SendRequest } from '../../host/channel-services.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { turnLineId } from '../../sessions/transcript-line.ts';
import { injected } from '../../sessions/injected.ts';

export interface Note {
  /** Stable across repetitions: a note stands once. */
  readonly token: string;
  readonly sessionKey: string;
  readonly address: ChatAddress;
  /** Nothing is noted for nothing. */
  readonly text: string;
}

export interface SentNoteDeps {
  readonly sessions: Sessions;
  now(): number;
  workspaceOf(agentId: string): string;
}

export function createSentNote({ sessions, now, workspaceOf }: SentNoteDeps): (note: Note) => Promise<void> {
  return async ({ token, sessionKey, address, text }) => {
    if (text === '') return;
    const known = await sessions.existing(sessionKey);
    const session =
      known ??
      (await sessions.open(sessionKey, {
        channel: address.channel,
        cwd: workspaceOf(sessions.agentOf(sessionKey)),
        personal: false,
      }));
    const message: AssistantMessage = { ...injected(text, now()), model: 'delivery-mirror' };
    await session.transcript.append([{ type: 'message', id: turnLineId(token, 'note'), message }]);
    await session.transcript.sync();
  };
}

/** The files by name, else the words, else the question. */
export function sentText({
  text = '',
  media = [],
  files = [],
  poll,
}: Pick<SendRequest, 'text' | 'media' | 'files' | 'poll'>): string {
  if (poll) return `Poll: ${poll.question} (${poll.options.join(', ')})`;
  const names = [...media.map(mediaName), ...files.map(({ name }) => name || 'media')];
  return names.length > 0 ? names.join(', ') : text.trim();
}

function mediaName(media: MediaRef): string {
  if (media.name) return media.name;
  const path = media.from === 'file' ? media.path : media.url.split(/[?#]/)[0]!.replace(/^[a-z]+:\/\/[^/]*/i, '');
  return decoded(path.split('/').at(-1)!) || 'media';
}

/** A name nobody can decode stays as it is. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}
