/** Pages that try to have something else done than what the agent saw, or more than it may. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../testing/until.ts';
import { fails, openHarness, skipWithoutChromium, type Harness } from '../harness.ts';

describe('a hostile page', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness();
  });
  after(() => h[Symbol.asyncDispose]());
  const go = (path: string): Promise<any> => h.call('POST', '/tabs/open', { url: h.pages.url + path });

  test('a frame or a tab that goes elsewhere: an old ref hits nothing that nobody has seen', async () => {
    await go('/swapped-frame');
    const cancel = await h.ref('"Cancel"');
    await h.act({ kind: 'evaluate', fn: 'swap()' });
    await until(
      async () =>
        (await h.act({ kind: 'evaluate', fn: 'f.contentDocument?.body?.innerText.includes("Pay")' })).result === true,
    );
    assert.doesNotMatch(await h.see({ selector: 'h1' }), /Pay/);
    const stale = fails('not_found', /frame that shows another page now\. Take a new snapshot/);
    await assert.rejects(h.act({ kind: 'click', ref: cancel }), stale);
    await h.act({ kind: 'click', ref: await h.ref('"Pay"') });
    await until(() => h.pages.asked.includes('GET /paid'));
    await go('/frame-before');
    const before = await h.ref('"Cancel"');
    await h.call('POST', '/navigate', { url: `${h.pages.url}/frame-after` });
    assert.doesNotMatch(await h.see({ selector: 'i' }), /Pay/);
    await assert.rejects(h.act({ kind: 'click', ref: before }), fails('not_found', /a page that is gone/));
    assert.equal(h.pages.asked.filter((line) => line === 'GET /paid').length, 1);
  });

  test('words that look like refs are words', async () => {
    await go('/forged-refs');
    for (const given of [{}, { interactive: true }, { refs: 'role' }, { labels: true }]) {
      const text = await h.see(given);
      assert.match(text, /\(ref=e999\]/);
      assert.doesNotMatch(text, /\[ref=e999/);
    }
  });

  test('dialogs without an end: the call ends in its time, and the tab can be closed', async () => {
    const { targetId } = await go('/alarms');
    const ref = await h.ref('"Start"');
    await assert.rejects(h.act({ kind: 'click', ref, timeoutMs: 3000 }), fails('timeout', /./));
    await h.act({ kind: 'close', targetId });
    const { tabs } = await h.call('GET', '/tabs');
    assert.ok(!tabs.some((tab: { readonly targetId: string }) => tab.targetId === targetId));
  });

  test('a page that closes itself under the click: the call ends and says so', async () => {
    await go('/popup-closing');
    await h.act({ kind: 'click', ref: await h.ref('"Window"') });
    const tabs = await until(async () => {
      const { tabs: all } = await h.call('GET', '/tabs');
      return all.find(({ url }: { readonly url: string }) => url.endsWith('/closes-under-click'));
    });
    const targetId = tabs.targetId as string;
    const ref = await h.ref('"Close me"', { targetId });
    const outcome = await h.act({ kind: 'click', ref, targetId, timeoutMs: 5000 }).catch((error: Error) => error);
    if (outcome instanceof Error) assert.match(outcome.message, /closed|gone/);
    await assert.rejects(h.see({ targetId }), fails('not_found', /tab not found/));
  });

  test('a tab of another session is found by no route and no part of its id', async () => {
    const you = { caller: h.session('you') };
    const mine = await go('/form');
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/empty` }, you);
    for (const targetId of [
      mine.targetId,
      mine.targetId.slice(0, 31),
      mine.targetId.toLowerCase(),
      ` ${mine.targetId}`,
    ])
      for (const [method, path, given] of [
        ['GET', '/snapshot', {}],
        ['POST', '/screenshot', {}],
        ['POST', '/act', { kind: 'press', key: 'a' }],
        ['POST', '/navigate', { url: `${h.pages.url}/empty` }],
        ['POST', '/tabs/focus', {}],
        ['GET', '/console', {}],
        ['GET', '/cookies', {}],
        ['GET', '/storage/local', {}],
        ['POST', '/pdf', {}],
        ['POST', '/hooks/dialog', { accept: true }],
        ['DELETE', `/tabs/${encodeURIComponent(targetId)}`, {}],
      ] as const)
        await assert.rejects(
          h.call(method, path, { ...given, targetId }, you),
          fails('not_found', /tab not found/),
          `${method} ${path} ${targetId}`,
        );
    assert.match(await h.see({ targetId: mine.targetId }), /Order/);
  });

  test('a page that starts downloads without an end fills no disk', async () => {
    await go('/many-files');
    const { notices = [] } = await h.act({ kind: 'click', ref: await h.ref('"Take"') });
    // A call would let it begin more of them.
    const tab = (await h.core.tabs(h.core.profile(undefined), h.session('me'))).tabs.at(-1)!;
    await until(() => h.pages.asked.filter((line) => line.startsWith('GET /file.bin?')).length === 40);
    await until(() => [...notices, ...tab.notices.all()].join().includes('more downloads than 10'));
    const all = h.core.downloads.all();
    await until(() => h.core.downloads.all().every(({ state }) => state !== 'running'));
    assert.deepEqual([all.length, h.core.downloads.all().length], [10, 10]);
  });

  test('a profile is named by its name and by nothing else', async () => {
    for (const profile of [
      '..',
      '../clawd',
      './clawd',
      'clawd/',
      '__proto__',
      'constructor',
      '.files',
      'CLAWD',
      '.canvas',
    ])
      await assert.rejects(h.call('GET', '/snapshot', { profile }), fails('not_found', /no browser profile/), profile);
    for (const name of ['..', '../x', 'a/b', '__proto__', '.x', '-x', 'X'])
      await assert.rejects(
        h.call('POST', '/profiles/create', { name }),
        fails('invalid', /no name of a profile/),
        name,
      );
  });
});
