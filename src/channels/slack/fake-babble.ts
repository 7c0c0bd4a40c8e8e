/** Frames that no Slack sends: no JSON, no envelope, or an envelope of something else. */
const envelope = (payload: unknown): string =>
  JSON.stringify({ envelope_id: 'babble', type: 'events_api', payload, accepts_response_payload: false });

export const BABBLE: readonly string[] = [
  'no json',
  'null',
  '[]',
  '{}',
  '{"type":"something_new","envelope_id":"x"}',
  envelope(null),
  envelope({}),
  envelope({ event: null }),
  envelope({ event: { type: 'message' } }),
  envelope({ event: { type: 'message', channel: 5, user: [], ts: {}, text: 7 } }),
  envelope({ event: { type: 'reaction_added', item: null } }),
];
