/** The place of a session for lists: group title, name, and the source of the last message. For display only. */
import type { InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { SessionPatch } from '../../sessions/entry.ts';
import { head } from '../../core/cut.ts';

const MAX_CHARS = 200;

/** Missing facts leave the known ones unchanged. */
export function placeOf({ address, place, sender, spaceId }: InboundMessage): SessionPatch {
  const {
    channel,
    accountId,
    threadId,
    chat: { kind, id },
  } = address;
  const [title, space] = [oneLine(place?.chat), oneLine(place?.space) ?? spaceId];
  const label = oneLine(kind === 'direct' ? sender.name : title);
  return {
    ...(kind === 'direct'
      ? {}
      : {
          ...(title === undefined ? {} : kind === 'group' ? { subject: title } : { groupChannel: title }),
          ...present({ space }),
          displayName:
            oneLine(place?.thread) ?? `${channel}:${groupToken({ kind, title, space: oneLine(place?.space), id })}`,
        }),
    origin: present({
      label,
      provider: channel,
      surface: channel,
      chatType: kind,
      from: sender.id,
      to: id,
      accountId,
      threadId,
    }),
  };
}

/** The documented form: `space#channel`, `#channel` or `g-name`, in small letters without spaces. */
function groupToken({
  kind,
  title,
  space,
  id,
}: {
  readonly kind: string;
  readonly title: string | undefined;
  readonly space: string | undefined;
  readonly id: string;
}): string {
  const room = title === undefined ? undefined : title.startsWith('#') ? title : `#${title}`;
  const named = kind === 'channel' && room !== undefined ? `${space ?? ''}${room}` : (title ?? id);
  const token =
    named
      .toLowerCase()
      .replace(/\s+/g, '-')
      .replace(/[^a-z0-9#@._+-]+/g, '')
      .replace(/-{2,}/g, '-')
      .replace(/^-|-$/g, '') || id.toLowerCase();
  return /^[@#]|#/.test(token) || token.startsWith('g-') ? token : `g-${token}`;
}

/** Others choose names: what could break a line, or hide in it, is gone. */
function oneLine(name: string | undefined): string | undefined {
  const flat = head(name?.replace(/[\p{C}\s]+/gu, ' ').trim() ?? '', MAX_CHARS);
  return flat === '' ? undefined : flat;
}
