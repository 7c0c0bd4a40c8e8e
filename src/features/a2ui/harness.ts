/** Shared parts of the canvas tests: messages, and a client that reads the feed. */
import assert from 'node:assert/strict';
import type { RunningGateway } from '../../testing/running-gateway.ts';
import { until } from '../../testing/until.ts';
import type { FeedEvent } from './surface/canvas-feed.ts';

/** JSONL of these messages. */
export const jsonl = (...messages: readonly object[]): string => messages.map((one) => JSON.stringify(one)).join('\n');

/** Components by their ids, of surface `main`. */
export const components = (list: Readonly<Record<string, object>>, surfaceId = 'main'): object => ({
  surfaceUpdate: { surfaceId, components: Object.entries(list).map(([id, component]) => ({ id, component })) },
});
export const begin = (surfaceId = 'main'): object => ({ beginRendering: { surfaceId, root: 'root' } });
export const data = (contents: readonly object[], path?: string, surfaceId = 'main'): object => ({
  dataModelUpdate: { surfaceId, ...(path !== undefined && { path }), contents },
});

/** A form with one field and one button. */
export const form = (surfaceId = 'main'): readonly object[] => [
  components(
    {
      root: { Column: { children: { explicitList: ['city', 'go'] } } },
      city: { TextField: { label: { literalString: 'City' }, text: { path: '/city' } } },
      go: {
        Button: {
          child: 'go-text',
          primary: true,
          action: { name: 'Get Weather', context: [{ key: 'city', value: { path: '/city' } }] },
        },
      },
      'go-text': { Text: { text: { literalString: 'Show the weather' } } },
    },
    surfaceId,
  ),
  data([{ key: 'city', valueString: 'Berlin' }], undefined, surfaceId),
  begin(surfaceId),
];

/** An action of that form, as a page sends it. */
export const action = (id: string, more: object = {}): object => ({
  userAction: {
    id,
    name: 'Get Weather',
    surfaceId: 'main',
    sourceComponentId: 'go',
    timestamp: '2026-11-27T20:00:00.000Z',
    context: { city: 'Paris' },
    ...more,
  },
});

export interface Page extends AsyncDisposable {
  readonly events: readonly FeedEvent[];
  /** Resolves with the first event that fits. */
  event(fits: (event: FeedEvent) => boolean): Promise<FeedEvent>;
  send(body: object): Promise<Response>;
}

/** Opens the feed of a link and waits for its snapshot. */
export async function openPage(gateway: Pick<RunningGateway, 'fetch'>, path: string): Promise<Page> {
  const abort = new AbortController();
  const response = await gateway.fetch(`${path}events`, { signal: abort.signal });
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
  const events: FeedEvent[] = [];
  const reading = readFeed(response, events).catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  const event: Page['event'] = (fits) => until(() => events.find(fits), 'an event of the feed');
  await event(({ kind }) => kind === 'snapshot');
  return {
    events,
    event,
    send: (body) => gateway.fetch(`${path}action`, { method: 'POST', body: JSON.stringify(body) }),
    async [Symbol.asyncDispose]() {
      abort.abort();
      await reading;
    },
  };
}

async function readFeed(response: Response, events: FeedEvent[]): Promise<void> {
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks)
      if (block.startsWith('data: ')) events.push(JSON.parse(block.slice('data: '.length)) as FeedEvent);
  }
}
