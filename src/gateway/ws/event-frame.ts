/** Serializes an event frame. */
import type { StateVersion } from '../../protocol/frames.ts';

/** Everything but the sequence number and the last brace, which differ per connection. */
export function eventFrame(event: string, payload: unknown, stateVersion?: StateVersion): string {
  const version = stateVersion ? `,"stateVersion":${JSON.stringify(stateVersion)}` : '';
  return `{"type":"event","event":"${event}","payload":${JSON.stringify(payload)}${version}`;
}
