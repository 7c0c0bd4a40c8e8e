/** A sample timeline of a message for the Control UI in development. */

export function sampleTimeline(understood: boolean): object[] {
  const at = Date.now();
  const after = understood ? 1680 : 0;
  return [
    { stage: 'accepted', at, ms: 1, detail: 'webchat, written to the journal', ok: true },
    { stage: 'routed', at: at + 1, ms: 0.4, detail: 'agent main, by default' },
    ...(understood ? UNDERSTOOD.map((entry) => ({ ...entry, at: at + 2 + entry.at })) : []),
    { stage: 'model', at: at + after + 3, ms: 840, detail: 'anthropic/claude-sonnet-4-5', ok: true },
    { stage: 'tool', at: at + after + 845, ms: 12, detail: 'read AGENTS.md', ok: true },
    { stage: 'model', at: at + after + 859, ms: 1310, detail: 'anthropic/claude-sonnet-4-5', ok: true },
    { stage: 'outbox', at: at + after + 2170, ms: 2, detail: '1 payload' },
    { stage: 'delivered', at: at + after + 2173, ms: 1, detail: 'webchat', ok: true },
  ];
}

/** Every outcome a link and a file can have. */
export const UNDERSTOOD: readonly { readonly stage: string; readonly at: number; readonly [field: string]: unknown }[] =
  [
    {
      stage: 'audio',
      at: 0,
      ms: 412,
      detail: 'voice-note.webm',
      ok: true,
      steps: [
        { what: 'whisper-cli', outcome: 'skipped', reason: 'empty output', ms: 96 },
        { what: 'groq/whisper-large-v3-turbo', outcome: 'success', ms: 316, chosen: true },
      ],
    },
    {
      stage: 'image',
      at: 0,
      detail: 'map.png',
      ok: true,
      steps: [
        {
          what: 'anthropic/claude-sonnet-4-5',
          outcome: 'skipped',
          reason: 'primary model supports vision natively',
          chosen: true,
        },
      ],
    },
    {
      stage: 'file',
      at: 0,
      ms: 31,
      detail: 'contract.pdf',
      ok: true,
      steps: [{ what: 'read as PDF, 4 pages', outcome: 'success', ms: 31, chosen: true }],
    },
    {
      stage: 'link',
      at: 414,
      ms: 1260,
      detail: 'https://www.metro.example/fares?from=airport&to=centre',
      ok: true,
      steps: [
        { what: 'ticket-summary', outcome: 'failed', reason: 'exit code 2', ms: 41 },
        {
          what: 'link-understand',
          outcome: 'success',
          ms: 1219,
          chosen: true,
          reached: ['www.metro.example:443 → 93.184.216.34', 'cdn.metro.example:443 → 2606:4700::1111'],
        },
      ],
    },
    {
      stage: 'link',
      at: 415,
      ms: 2,
      detail: 'http://169.254.169.254/latest/meta-data/',
      ok: false,
      steps: [{ what: 'guard', outcome: 'blocked', reason: 'link-local address (169.254.0.0/16)' }],
    },
    {
      stage: 'link',
      at: 416,
      ms: 340,
      detail: 'https://short.example/x',
      ok: false,
      steps: [
        {
          what: 'link-understand',
          outcome: 'failed',
          reason: 'exit code 1: the server redirected to a private address',
          ms: 338,
          reached: [
            'short.example:443 → 93.184.216.35',
            'intranet.example:80 blocked: resolves to 10.0.0.8',
            'a.short.example:443 → 93.184.216.36',
            'b.short.example:443 → 93.184.216.37',
          ],
        },
      ],
    },
  ];
