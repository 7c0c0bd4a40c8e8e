/** Converts the events of a library socket to the events of our interface. */
import { personOf } from './ids.ts';
import type { BaileysParts } from './begin-socket.ts';
import type { LibraryEvents, LibrarySocket } from './library.ts';
import type { WaEvents } from './socket.ts';

interface Listening {
  readonly events: WaEvents;
  readonly parts: BaileysParts;
  me(): { readonly id: string };
}

export function listen(socket: LibrarySocket, { events, parts: { spool, library, sent }, me }: Listening): void {
  const { ev, ws } = socket;
  ws.on('frame', () => events.alive());
  ev.on('messages.upsert', ({ messages }) => {
    for (const message of messages) events.message(message, () => spool.settle(message.key.id ?? ''));
  });
  ev.on('messaging-history.set', ({ messages }) => events.history(messages));
  ev.on('lid-mapping.update', ({ lid, pn }) => identity(events, lid, pn));
  ev.on('group-participants.update', ({ id }) => events.groupChanged(id));
  ev.on('groups.update', (groups) => groups.forEach(({ id }) => id !== undefined && events.groupChanged(id)));
  ev.on('messages.update', (updates) => votes(updates, { events, library, sent, me }));
}

function identity(events: WaEvents, lid: string, pn: string): void {
  const [hidden, phone] = [personOf(lid), personOf(pn)];
  if (hidden !== undefined && phone !== undefined) events.identity({ lid: hidden, phone });
}

function votes(
  updates: LibraryEvents['messages.update'],
  { events, library, sent, me }: Pick<Listening, 'events' | 'me'> & Pick<BaileysParts, 'library' | 'sent'>,
): void {
  for (const { key, update } of updates) {
    const poll = update.pollUpdates?.length ? sent.find(key.id ?? '') : undefined;
    if (!poll) continue;
    for (const one of update.pollUpdates!) {
      const chosen = library.getAggregateVotesInPollMessage({ message: poll, pollUpdates: [one] }, me().id);
      const options = chosen.filter(({ voters }) => voters.length > 0).map(({ name }) => name);
      if (one.pollUpdateMessageKey) events.vote({ key, voter: one.pollUpdateMessageKey, options });
    }
  }
}
