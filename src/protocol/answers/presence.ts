/** Presence, in `system-presence`, the handshake and the presence events. */
import { z } from 'zod';
import { instant, list, text } from './shapes.ts';

/** One client, node or gateway that is connected or was a short while ago. */
export const presenceEntry = z.strictObject({
  ts: instant.describe('Time of the last sign of activity.'),
  host: text.exactOptional(),
  ip: text.exactOptional(),
  version: text.exactOptional(),
  platform: text.exactOptional(),
  deviceFamily: text.exactOptional(),
  modelIdentifier: text.exactOptional(),
  timeZone: text.exactOptional(),
  mode: text.exactOptional(),
  lastInputSeconds: z.number().exactOptional(),
  reason: text.exactOptional(),
  tags: list(text).exactOptional(),
  text: text.exactOptional(),
  deviceId: text.exactOptional(),
  roles: list(text).exactOptional(),
  scopes: list(text).exactOptional(),
  instanceId: text.exactOptional(),
  onlineSince: instant.exactOptional(),
});
/** One entry of the list of presence. */
export type PresenceEntry = z.output<typeof presenceEntry>;

/**
 * `changed` are new or newer entries; `gone` names others by `presenceId`. `stale`: too much changed to tell, ask
 * `system-presence`. `since`: `stateVersion.presence` of the event before; who knows only an older one missed some, and
 * asks too.
 */
export const presenceChange = z.strictObject({
  changed: list(presenceEntry),
  gone: list(text),
  since: z.number().exactOptional(),
  stale: z.literal(true).exactOptional(),
});
/** One change of the list of presence. */
export type PresenceChangedEvent = z.output<typeof presenceChange>;

/** Answer of `system-presence`. */
export const presenceAnswers = { 'system-presence': list(presenceEntry) };
