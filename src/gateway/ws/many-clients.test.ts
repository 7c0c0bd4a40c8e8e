// Many clients: presence is sent as small differences to clients that support them, and unread events do not fill the
// memory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { CAP_PRESENCE_CHANGES } from '../../protocol/client-info.ts';
import { presenceId, withPresenceChange } from '../../protocol/presence.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { until } from '../../testing/until.ts';
import { connectParams, startTestGateway, type TestGateway } from '../../testing/ws-gateway.ts';

interface Counted {
  readonly socket: WebSocket;
  frames: number;
  bytes: number;
  readonly events: any[];
  readonly hello: Promise<void>;
  ask(method: string, params: unknown): void;
}

/** A client that only counts: checking each frame against the published schemas would be most of the time. */
function count(gateway: TestGateway, name: string, caps: readonly string[] = []): Counted {
  const socket = new WebSocket(gateway.url, { perMessageDeflate: false });
  const hello = Promise.withResolvers<void>();
  const self: Counted = {
    socket,
    frames: 0,
    bytes: 0,
    events: [],
    hello: hello.promise,
    ask: (method, params) =>
      socket.send(JSON.stringify({ type: 'req', id: `${method}-${Math.random()}`, method, params })),
  };
  socket.on('open', () =>
    socket.send(
      JSON.stringify({
        type: 'req',
        id: 'hello',
        method: 'connect',
        params: connectParams({
          caps,
          client: { id: 'gateway-client', version: '1.0.0', platform: 'linux', mode: 'backend', instanceId: name },
        }),
      }),
    ),
  );
  socket.on('message', (data) => {
    const text = String(data);
    self.bytes += text.length;
    self.frames += 1;
    const frame = JSON.parse(text);
    if (frame.id === 'hello') hello.resolve();
    else if (frame.type === 'event' && frame.event.startsWith('presence')) self.events.push(frame);
  });
  socket.on('error', () => undefined);
  return self;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('a hundred clients', () => {
  it('that come one after the other cost a few megabytes, not a hundred, and all know who is there in the end', async (t) => {
    await using gateway = await startTestGateway();
    const clients: Counted[] = [];
    for (let index = 0; index < 100; index++) {
      const one = count(gateway, `client-${index}`);
      await one.hello;
      clients.push(one);
    }
    const sees = (one: Counted): readonly string[] =>
      (one.events.at(-1)?.payload.presence ?? []).map(({ instanceId }: any) => instanceId);
    await until(
      () => clients.slice(0, -1).every((one) => sees(one).includes('client-99')),
      'everybody to know the last one',
    );
    const bytes = sum(clients.map((one) => one.bytes));
    t.diagnostic(
      `presence: ${(bytes / 1e6).toFixed(1)} MB in ${sum(clients.map(({ frames }) => frames))} frames for 100 arrivals`,
    );
    assert.ok(bytes < 10e6, `${bytes} bytes`);
    for (const one of clients) one.socket.terminate();
  });

  it('that support differences get joins and leaves, and have the list that a request would return', async () => {
    await using gateway = await startTestGateway();
    const watcher = count(gateway, 'watcher', [CAP_PRESENCE_CHANGES]);
    await watcher.hello;
    let list: readonly any[] = (await gateway.client()).frames.find(({ id }) => id === 'r1').payload.snapshot.presence;
    let reported: number | undefined;
    const seen = (): readonly any[] => {
      for (const { payload, stateVersion } of watcher.events.splice(0)) {
        assert.ok(reported === undefined || payload.since === reported, `${payload.since} follows ${reported}`);
        reported = stateVersion.presence;
        list = withPresenceChange(list, payload);
      }
      return list;
    };
    const guests = ['one', 'two'].map((name) => count(gateway, name));
    await Promise.all(guests.map(({ hello }) => hello));
    await until(
      () =>
        seen().some(({ instanceId }) => instanceId === 'one') && list.some(({ instanceId }) => instanceId === 'two'),
      'both guests',
    );
    guests[0]!.socket.terminate();
    await until(
      () => seen().some(({ instanceId, reason }) => instanceId === 'one' && reason === 'disconnect'),
      'one to be gone',
    );
    const asker = await gateway.client();
    const whole: readonly any[] = await asker.call('system-presence');
    const id = presenceId(whole.at(-1)); // the asker itself
    await until(() => seen().some((entry) => presenceId(entry) === id), 'the asker');
    const timeless = (entries: readonly any[]): unknown =>
      entries.map(({ ts: _ts, ...entry }) => entry).sort((a, b) => (presenceId(a) < presenceId(b) ? -1 : 1));
    assert.deepEqual(timeless(list), timeless(whole));
    assert.ok(watcher.bytes < 20_000, `${watcher.bytes} bytes`);
    for (const one of [watcher, ...guests]) one.socket.terminate();
  });

  it('that connect together are not listed one by one: the others are asked to request the list', async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    const watcher = count(gateway, 'watcher', [CAP_PRESENCE_CHANGES]);
    await watcher.hello;
    const guests = Array.from({ length: 100 }, (_, index) => count(gateway, `guest-${index}`, [CAP_PRESENCE_CHANGES]));
    await Promise.all(guests.map(({ hello }) => hello));
    await clock.advance(1000);
    const { payload } = await until(
      () => watcher.events.find((frame) => frame.payload.stale),
      'a word that it is too much',
    );
    assert.deepEqual({ ...payload, since: undefined }, { changed: [], gone: [], stale: true, since: undefined });
    assert.equal(typeof payload.since, 'number');
    for (const one of [watcher, ...guests]) one.socket.terminate();
  });
});

describe('what nobody reads', () => {
  const MB = 1e6;
  /** Answers of 5 MB: all of them are far more than may wait. */
  const ASKED = 25;
  /** Of them, one answer to each would be twice what may wait. */
  const MANY_CLIENTS = 8;
  const history = (bytes: number): any[] => [
    { role: 'user', content: [{ type: 'text', text: 'x'.repeat(bytes) }], timestamp: 1 },
  ];
  /** Connected, and from now on it reads nothing. */
  async function deaf(gateway: TestGateway): Promise<Counted> {
    const one = count(gateway, `deaf-${Math.random()}`);
    await one.hello;
    one.socket.pause();
    return one;
  }

  it('is asked for once at a time: answers nobody takes are not made', async () => {
    await using gateway = await startTestGateway();
    gateway.services.chat.transcripts.set('agent:main:main', history(5 * MB));
    const one = await deaf(gateway);
    for (let index = 0; index < ASKED; index++) one.ask('chat.history', { sessionKey: 'main' });
    const owner = await gateway.client();
    await until(() => gateway.ws.unreadBytes() > MB, 'the first answers to pile up');
    assert.ok((await owner.call('chat.history', { sessionKey: 'main' })).messages.length === 1, 'others are served');
    assert.ok(gateway.ws.unreadBytes() < 15 * MB, `${gateway.ws.unreadBytes()} bytes wait`);
    one.socket.resume();
    const answers = await until(() => (one.frames >= ASKED ? one.frames : undefined), 'all of them, once it reads');
    assert.ok(answers >= ASKED);
    one.socket.terminate();
  });

  it('waits for what a client reads, not for slow work asked for on the same connection', async () => {
    await using gateway = await startTestGateway();
    const { chat } = gateway.services;
    const { history: quick } = chat;
    const page = Promise.withResolvers<void>();
    chat.history = async (asked) => {
      if (asked.sessionKey.endsWith(':slow')) await page.promise;
      return quick(asked);
    };
    const one = await gateway.client();
    const slow = one.call('chat.history', { sessionKey: 'slow' });
    assert.deepEqual((await one.call('chat.history', { sessionKey: 'main' })).messages, []);
    page.resolve();
    assert.deepEqual((await slow).messages, []);
  });

  it('is bounded over all clients: the one that waited longest is cut, and who reads is served', async (t) => {
    await using gateway = await startTestGateway({ limits: { maxUnreadBytes: 20 * MB } });
    gateway.services.chat.transcripts.set('agent:main:main', history(5 * MB));
    const owner = await gateway.client();
    const clients: Counted[] = [];
    let max = 0;
    for (let index = 0; index < MANY_CLIENTS; index++) {
      const one = await deaf(gateway);
      clients.push(one);
      for (let asked = 0; asked < 3; asked++) one.ask('chat.history', { sessionKey: 'main' });
      await owner.call('chat.history', { sessionKey: 'main' });
      max = Math.max(max, gateway.ws.unreadBytes());
    }
    t.diagnostic(
      `unread: ${(max / MB).toFixed(0)} MB at most of ${MANY_CLIENTS * 3 * 5} MB asked for; ` +
        `${gateway.ws.connections().length} of ${MANY_CLIENTS + 1} connections are left`,
    );
    assert.ok(max <= 25 * MB, `${max} bytes`);
    assert.ok((await owner.call('status')).unreadBytes <= 25 * MB);
    for (const one of clients) one.socket.terminate();
  });
});
