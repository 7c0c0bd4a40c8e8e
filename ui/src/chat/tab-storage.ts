/** Stores drafts and unsent messages for this tab and gateway, so that a reload does not lose them. */
import type { Place } from './message-list.ts';
import { deserialise, serialise, type Outbox, type Outgoing } from './outbox.ts';

export interface TabStorage {
  outbox(): Outbox;
  saveOutbox(outbox: Outbox): void;
  draft(sessionKey: string): string;
  saveDraft(sessionKey: string, text: string): void;
  /** The reading position of a conversation; absent: at its end. */
  place(sessionKey: string): Place | undefined;
  savePlace(sessionKey: string, place: Place | undefined): void;
}

/** In bytes: with base64 just under the 5 MB that browsers allow per origin. */
const LARGEST = 3_500_000;
const isKept = ({ files }: Outgoing): boolean => files.reduce((bytes, file) => bytes + file.bytes, 0) < LARGEST;

export function createTabStorage(storage: Storage, gatewayUrl: string): TabStorage {
  const outboxKey = `clawdbot.outbox:${gatewayUrl}`;
  const draftKey = (sessionKey: string): string => `clawdbot.draft:${gatewayUrl}:${sessionKey}`;
  const placeKey = (sessionKey: string): string => `clawdbot.place:${gatewayUrl}:${sessionKey}`;
  return {
    outbox: () => deserialise(storage.getItem(outboxKey)),
    saveOutbox: (outbox) => {
      try {
        storage.setItem(outboxKey, serialise(outbox.filter(isKept)));
      } catch (cause) {
        if (!(cause instanceof DOMException)) throw cause;
        // The tab's quota is full of files: keep the messages that are words alone, the others live until the tab
        // closes.
        storage.setItem(outboxKey, serialise(outbox.filter((message) => message.files.length === 0)));
      }
    },
    draft: (sessionKey) => storage.getItem(draftKey(sessionKey)) ?? '',
    saveDraft: (sessionKey, text) =>
      text ? storage.setItem(draftKey(sessionKey), text) : storage.removeItem(draftKey(sessionKey)),
    place: (sessionKey) => readPlace(storage.getItem(placeKey(sessionKey))),
    savePlace: (sessionKey, place) =>
      place
        ? storage.setItem(placeKey(sessionKey), `${place.top} ${place.key}`)
        : storage.removeItem(placeKey(sessionKey)),
  };
}

function readPlace(text: string | null): Place | undefined {
  const [, top, key] = /^(-?[\d.]+) (.+)$/.exec(text ?? '') ?? [];
  return top === undefined || key === undefined ? undefined : { key, top: Number(top) };
}
