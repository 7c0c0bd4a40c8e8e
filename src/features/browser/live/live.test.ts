/** The service of the Browser page, with a real browser: pictures, manual control, downloads. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ClientLink } from '../../../host/clients.ts';
import { systemClock } from '../../../platform/clock.ts';
import { until } from '../../../testing/until.ts';
import { fails, openHarness, skipWithoutChromium, type Harness } from '../harness.ts';
import { createLiveService, type LiveService } from './live-service.ts';
import { createViewers } from './viewers.ts';
import { keyInputs, pointOf } from '../page/input-events.ts';

interface Sent {
  readonly event: string;
  readonly payload: any;
}

interface FakeLink extends ClientLink {
  readonly sent: readonly Sent[];
  /** The connection has too much unsent data. */
  slow: boolean;
}

/** A fake connection that is never congested, unless a test says so. */
function fakeLink(): FakeLink {
  const sent: Sent[] = [];
  const link: Partial<FakeLink> = {
    connId: 'c',
    role: 'operator',
    closing: false,
    send: (event: string, payload: unknown) => void sent.push({ event, payload }),
    get unread() {
      return link.slow ? 10_000_000 : 0;
    },
    caughtUp: async () => undefined,
    sent,
    slow: false,
  };
  return link as FakeLink;
}

describe('a tab somebody looks at', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  let live: LiveService;
  let targetId = '';
  before(async () => {
    h = await openHarness({ limits: { downloadMaxMb: 1 } });
    live = createLiveService({
      core: h.core,
      viewers: createViewers({ clock: systemClock, changed: () => undefined }),
    });
  });
  after(() => h[Symbol.asyncDispose]());
  beforeEach(async () => {
    if (targetId) await h.call('DELETE', `/tabs/${targetId}`).catch(() => undefined);
    ({ targetId } = await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` }));
  });
  const frames = (link: { readonly sent: readonly Sent[] }) =>
    link.sent.filter(({ event }) => event === 'browser.frame').map(({ payload }) => payload);

  test('comes as pictures to whoever watches, to nobody else, and not after they left', async () => {
    const [one, other] = [fakeLink(), fakeLink()];
    assert.deepEqual((await live.watch(one, { targetId })).control, 'agent');
    const [first] = await until(() => (frames(one).length > 0 ? frames(one) : undefined));
    assert.equal(Buffer.from(first.data, 'base64').subarray(0, 2).toString('hex'), 'ffd8');
    assert.deepEqual([first.targetId, first.width > 300, first.height > 200], [targetId, true, true]);
    await h.act({ kind: 'evaluate', fn: 'document.body.style.background = "teal"' });
    await until(() => frames(one).length > 1);
    assert.deepEqual(other.sent, []);
    await live.watch(other, { targetId });
    await until(() => frames(other).length > 0);
    live.left(one);
    live.unwatch(other, targetId);
    const before = [one.sent.length, other.sent.length];
    const tab = (await h.core.tabs(h.core.profile(undefined), h.session('me'))).tabs[0]!;
    assert.equal(tab.live.watched, false);
    await h.act({ kind: 'evaluate', fn: 'document.body.style.background = "red"' });
    await h.call('POST', '/screenshot');
    assert.deepEqual([one.sent.length, other.sent.length], before, 'nothing comes when nobody looks');
  });

  test('a connection that is behind gets no more pictures until it has taken what it has', async () => {
    const link = fakeLink();
    await live.watch(link, { targetId });
    await until(() => frames(link).length > 0);
    link.slow = true;
    const count = frames(link).length;
    await h.act({ kind: 'evaluate', fn: 'document.body.style.background = "lime"' });
    await h.call('POST', '/screenshot');
    assert.equal(frames(link).length, count);
    live.left(link);
  });

  test('says what the agent did, to what, and where', async () => {
    const link = fakeLink();
    await live.watch(link, { targetId });
    const answer = await h.act({ kind: 'click', ref: await h.ref('"Order"') });
    assert.equal(answer.on, 'button "Order"');
    const { payload } = await until(() => link.sent.find(({ event }) => event === 'browser.acted'));
    assert.deepEqual([payload.kind, payload.label, payload.targetId], ['click', 'button "Order"', targetId]);
    assert.ok(payload.box.width > 10 && payload.box.y > 0);
    const later = fakeLink();
    assert.equal((await live.watch(later, { targetId })).acted?.label, 'button "Order"');
    live.left(link);
    live.left(later);
  });

  test('in the hands of a person: agents look and do not act, and hear when it is handed back', async () => {
    const [person, other] = [fakeLink(), fakeLink()];
    const ref = await h.ref('"Order"');
    assert.equal((await live.control(person, { targetId, take: true })).control, 'you');
    await assert.rejects(live.control(other, { targetId, take: true }), fails('conflict', /Somebody else/));
    await assert.rejects(live.input(other, { targetId, inputs: [] }), fails('conflict', /Take control/));
    const held = fails('conflict', /A person has control of this tab\. Nothing was done/);
    await assert.rejects(h.act({ kind: 'click', ref }), held);
    await assert.rejects(h.call('POST', '/navigate', { url: `${h.pages.url}/empty` }), held);
    await assert.rejects(h.call('DELETE', `/tabs/${targetId}`), held);
    await assert.rejects(h.call('POST', '/tabs/action', { action: 'close', index: 0 }), held);
    await assert.rejects(h.call('POST', '/stop'), held);
    await assert.rejects(h.call('POST', '/cookies/clear'), held);
    assert.match(await h.see(), /Order/);
    await h.act({ kind: 'wait', text: 'Order' });

    const box = await h
      .act({ kind: 'wait', text: 'Order' })
      .then(() => h.core.tabs(h.core.profile(undefined), h.session('me')));
    const name = await box.tabs[0]!.page.locator('#name').boundingBox();
    const at = { x: name!.x + 5, y: name!.y + 5 };
    await live.input(person, {
      targetId,
      inputs: [
        { type: 'down', ...at, button: 'left', clicks: 1 },
        { type: 'up', ...at, button: 'left', clicks: 1 },
        { type: 'text', text: 'Änn' },
        ...(keyInputs('x') as never[]),
        { type: 'keyup', key: 'x' },
      ],
    });
    assert.match(await h.see(), /textbox "Name".*: Ännx/);
    live.left(person);
    const { notices } = await h.act({ kind: 'click', ref });
    assert.match(String(notices), /A person had control of this tab and handed it back/);
    assert.match(await h.see(), /Ännx\|/);
  });

  test('what an agent has under way ends when a person comes', async () => {
    const person = fakeLink();
    const ref = await h.ref('"Order"');
    await h.act({ kind: 'evaluate', fn: 'document.querySelector("button").style.visibility = "hidden"' });
    const work = h.act({ kind: 'click', ref, timeoutMs: 60_000 });
    const tab = (await h.core.tabs(h.core.profile(undefined), h.session('me'))).tabs[0]!;
    await until(() => tab.live.last?.kind === 'click');
    await Promise.all([
      assert.rejects(work, fails('conflict', /took control of this tab while this was under way/)),
      live.control(person, { targetId, take: true }),
    ]);
    await live.control(person, { targetId, take: false });
  });

  test('a dialog waits for the person who has control', async () => {
    const person = fakeLink();
    await h.call('POST', '/navigate', { url: `${h.pages.url}/dialogs` });
    await live.control(person, { targetId, take: true });
    const tab = (await h.core.tabs(h.core.profile(undefined), h.session('me'))).tabs[0]!;
    const box = await tab.page.getByText('Confirm').boundingBox();
    const at = { x: box!.x + 3, y: box!.y + 3, button: 'left', clicks: 1 } as const;
    const clicked = live.input(person, {
      targetId,
      inputs: [
        { type: 'down', ...at },
        { type: 'up', ...at },
      ],
    });
    const open = await until(async () => {
      const { tabs } = (await live.overview(person)).profiles[0]!;
      return tabs.find((one) => one.targetId === targetId)?.dialog;
    });
    assert.deepEqual(open, { type: 'confirm', message: 'sure?' });
    const operator = { caller: { kind: 'operator', files: h.folder } } as const;
    await h.call('POST', '/hooks/dialog', { targetId, accept: true }, operator);
    await clicked;
    assert.match(await h.see(), /confirm true/);
    live.left(person);
  });

  test('a download that grows too large is ended while it runs; a program in disguise is not kept', async () => {
    await h.act({ kind: 'evaluate', fn: 'location.href = "/endless.bin"' });
    const [endless] = await until(() =>
      h.core.downloads.all()[0]?.state === 'failed' ? h.core.downloads.all() : undefined,
    );
    assert.match(endless!.why!, /"endless\.bin" has .*, at most 1 MiB are kept/);
    await until(() => h.pages.asked.includes('LEFT /endless.bin'));
    await h.act({ kind: 'evaluate', fn: 'location.href = "/invoice.pdf"' });
    const disguised = await until(() => {
      const [newest] = h.core.downloads.all();
      return newest?.name === 'invoice.pdf' && newest.state === 'failed' ? newest : undefined;
    });
    assert.match(disguised.why!, /"invoice\.pdf" is a program for Linux, not what its name says/);
    await h.act({ kind: 'evaluate', fn: 'location.href = "/file.bin"' });
    const saved = await until(() => h.core.downloads.all().find(({ state }) => state === 'saved'));
    const part = await live.file({ id: saved.id, offset: 2 });
    assert.deepEqual(
      [part.size, Buffer.from(part.content, 'base64').toString(), part.nextOffset],
      [6, 'nary', undefined],
    );
    await assert.rejects(live.file({ id: endless!.id, offset: 0 }), fails('not_found', /no such download/));
  });
});

test('places and keys of a picture become places and keys of the page', () => {
  const at = { clientX: 60, clientY: 35 };
  assert.deepEqual(pointOf(at, { left: 10, top: 10, width: 100, height: 50 }, { width: 1000, height: 500 }), {
    x: 500,
    y: 250,
  });
  assert.deepEqual(
    pointOf({ clientX: 0, clientY: 900 }, { left: 10, top: 10, width: 0, height: 50 }, { width: 9, height: 5 }),
    {
      x: 0,
      y: 4,
    },
  );
  assert.deepEqual(keyInputs('a'), [{ type: 'keydown', key: 'a' }]);
  assert.deepEqual(keyInputs('ä'), [{ type: 'text', text: 'ä' }]);
  assert.deepEqual([keyInputs('Dead'), keyInputs('AudioVolumeUp')], [[], []]);
});
