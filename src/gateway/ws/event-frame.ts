/** The JSON of an event as it goes out. */
import type { StateVersion } from '../../protocol/frames.ts';

/** Everything but the sequence number and the last brace, which differ per connection. */
export const eventFrame = (event: string, payload: unknown, stateVersion?: StateVersion): string =>
  `{"type":"event","event":"${event}","payload":${JSON.stringify(payload)}${stateVersion ? `,"stateVersion":${JSON.stringify(stateVersion)}` : ''}`;
