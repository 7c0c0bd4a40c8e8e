/** One shape for updates from Socket Mode and HTTP, with the lookups each one needs. Pure. */
import { present } from '../../sdk/index.ts';
import { listOf, recordOf, textOf, type Answer } from './answer.ts';
import { channelsIn, mentionsIn } from './markdown.ts';

export interface Update {
  readonly kind: 'event' | 'slash' | 'action';
  /** The inner event; for the others the whole payload. */
  readonly body: Answer;
  readonly teamId?: string;
}

/** The types of Socket Mode's envelopes; undefined for what is neither an event, a command nor a click. */
export function updateOf(type: string, payload: unknown): Update | undefined {
  const body = recordOf(payload);
  const teamId = textOf(body['team_id']) ?? textOf(recordOf(body['team'])['id']);
  const team = teamId === undefined ? {} : { teamId };
  if (type === 'events_api' || type === 'event_callback') {
    const event = recordOf(body['event']);
    return textOf(event['type']) ? { kind: 'event', body: event, ...team } : undefined;
  }
  if (type === 'slash_commands') return textOf(body['command']) ? { kind: 'slash', body, ...team } : undefined;
  return type === 'interactive' && textOf(body['type']) ? { kind: 'action', body, ...team } : undefined;
}

/** The chat it belongs to: what comes from one is taken in order. */
export const chatOf = ({ kind, body }: Update): string =>
  (kind === 'slash'
    ? textOf(body['channel_id'])
    : kind === 'action'
      ? (textOf(recordOf(body['channel'])['id']) ?? textOf(recordOf(body['container'])['channel_id']))
      : (textOf(body['channel']) ?? textOf(recordOf(body['item'])['channel']))) ?? '';

/** A changed message is told as the message it is now. */
export const messageOf = (event: Answer): Answer =>
  event['subtype'] === 'message_changed'
    ? { ...recordOf(event['message']), channel: event['channel'], channel_type: event['channel_type'] }
    : event;

export interface Wanted {
  readonly users: readonly string[];
  readonly rooms: readonly string[];
  readonly thread?: { readonly channel: string; readonly ts: string };
}

/** Ids whose names the text or the sender needs. */
export function wantedOf(update: Update): Wanted {
  const message = messageOf(update.body);
  const chat = chatOf(update);
  const text = textOf(message['text']) ?? '';
  const user = textOf(message['user']) ?? textOf(update.body['user_id']) ?? textOf(recordOf(message['user'])['id']);
  const shared = listOf(message['attachments']).flatMap(({ text: words }) =>
    typeof words === 'string' ? [...mentionsIn(words)] : [],
  );
  const threadTs = textOf(message['thread_ts']);
  return {
    users: [...(user ? [user] : []), ...mentionsIn(text), ...shared].filter((id) => /^[UW]/.test(id)),
    rooms: [...(chat.startsWith('D') || chat === '' ? [] : [chat]), ...channelsIn(text)],
    ...present({
      thread:
        update.kind === 'event' && message['type'] === 'message' && threadTs && threadTs !== message['ts'] && chat
          ? { channel: chat, ts: threadTs }
          : undefined,
    }),
  };
}
