import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { pictureSize } from '../../../platform/pictures/picture-size.ts';
import { until } from '../../../testing/until.ts';
import { fails, openHarness, skipWithoutChromium, type Harness } from '../harness.ts';

describe('looking at pages', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness();
    await h.call('POST', '/tabs/open', { url: h.pages.url });
  });
  after(() => h[Symbol.asyncDispose]());
  const go = (path: string) => h.call('POST', '/navigate', { url: h.pages.url + path });

  test('90, 94: a snapshot keeps to 80 000 characters, to what is asked for, or to none', async () => {
    await go('/many');
    const standard = await h.call('GET', '/snapshot');
    assert.ok(standard.truncated && standard.snapshot.length <= 80_000 && standard.snapshot.length > 60_000);
    assert.ok((await h.see({ maxChars: 3000 })).length <= 3000);
    const whole = await h.call('GET', '/snapshot', { maxChars: 0 });
    assert.ok(whole.truncated === undefined && whole.snapshot.includes('Item 1599'));
    const short = await h.call('GET', '/snapshot', { mode: 'efficient' });
    assert.ok(short.truncated && short.snapshot.length <= 10_000);
    for (const part of [{ interactive: true, compact: true }, { selector: 'ul' }])
      assert.ok((await h.see({ ...part, maxChars: 500 })).length <= 500);
    const tree = await h.call('GET', '/snapshot', { format: 'aria', limit: 5000, maxChars: 0 });
    assert.equal(tree.nodes.length, 2000);
    assert.deepEqual([tree.nodes[0].ref, tree.nodes[0].role, tree.nodes[0].depth], ['ax1', 'RootWebArea', 0]);
    assert.ok(
      JSON.stringify((await h.call('GET', '/snapshot', { format: 'aria', maxChars: 2000 })).nodes).length <= 2200,
    );
  });

  test('91: the configured mode holds for ai, not for aria', async () => {
    await go('/form');
    h.configure({ snapshotDefaults: { mode: 'efficient' } });
    try {
      assert.match(await h.see(), /^- textbox "Name"/);
      assert.ok((await h.call('GET', '/snapshot', { format: 'aria' })).nodes.length > 5);
    } finally {
      h.configure({});
    }
  });

  test('what is new since the last snapshot of a page is marked', async () => {
    await go('/grow');
    assert.doesNotMatch(await h.see(), /\[new\]/);
    await h.act({ kind: 'click', ref: await h.ref('"Grow"') });
    assert.match(await h.see(), /button "Fresh" \[ref=\w+\] \[new\]/);
    assert.doesNotMatch(await h.see(), /\[new\]/);
  });

  test('95: refs by role: equal ones are numbered, counted and told; nothing to act on says so', async () => {
    await go('/twice');
    const { snapshot, refs, stats } = await h.call('GET', '/snapshot', { interactive: true });
    assert.match(snapshot, /"Same" \[ref=\w+\]\n- button "Same" \[nth=1\] \[ref=\w+\]\n- button "Other" \[ref/);
    assert.deepEqual(
      Object.values(refs).map((one: any) => [one.name, one.nth]),
      [
        ['Same', 0],
        ['Same', 1],
        ['Other', undefined],
      ],
    );
    assert.deepEqual([stats.lines, stats.refs, stats.interactive], [3, 3, 3]);
    await go('/empty');
    assert.equal(await h.see({ interactive: true }), '(no interactive elements)');
  });

  test('what contradicts itself is refused', async () => {
    for (const [given, says] of [
      [{ format: 'aria', labels: true }, /labels and mode efficient are for format ai/],
      [{ format: 'aria', mode: 'efficient' }, /for format ai/],
      [{ format: 'html' }, /format must be ai or aria/],
      [{ refs: 'aria', selector: 'p' }, /leave out selector and frame/],
      [{ mode: 'long' }, /mode must be efficient/],
    ] as const)
      await assert.rejects(h.call('GET', '/snapshot', given), fails('invalid', says));
    await assert.rejects(
      h.call('GET', '/snapshot', { selector: '#nowhere' }),
      fails('not_found', /Nothing on the page matches/),
    );
    await assert.rejects(
      h.call('POST', '/screenshot', { fullPage: true, ref: 'e1' }),
      fails('invalid', /fullPage is for the whole page/),
    );
    await assert.rejects(h.call('POST', '/screenshot', { type: 'gif' }), fails('invalid', /png or jpeg/));
  });

  test('92: refs aria lists the same elements with the same refs', async () => {
    await go('/form');
    const ref = await h.ref('"Order"');
    assert.ok((await h.see({ refs: 'aria', interactive: true })).includes(`[ref=${ref}]`));
  });

  test('117: labels are drawn where the elements are, on a page that is scrolled too', async () => {
    await go('/tall');
    await h.act({ kind: 'scrollIntoView', ref: await h.ref('"Bottom"') });
    const { labelsCount, imagePath, imageType } = await h.call('GET', '/snapshot', { labels: true });
    assert.equal(labelsCount, 1);
    assert.equal(imageType, 'image/png');
    assert.ok((await readFile(imagePath)).length > 1000);
    assert.equal(
      (await h.act({ kind: 'evaluate', fn: 'document.querySelectorAll("[data-clawdbot-labels]").length' })).result,
      0,
    );
  });

  test('100, 101: pictures of the page, of all of it within bounds, and of one element', async () => {
    await go('/tall');
    const sizeOf = async (given: object) =>
      pictureSize(await readFile((await h.call('POST', '/screenshot', given)).path))!;
    const [window, whole, element] = [
      await sizeOf({}),
      await sizeOf({ fullPage: true }),
      await sizeOf({ element: 'button', type: 'jpeg' }),
    ];
    assert.ok(whole.height > window.height && whole.height <= 2000);
    assert.ok(element.width < 200 && element.height < 100);
    assert.ok((await sizeOf({ ref: await h.ref('"Bottom"') })).height < 100);
  });

  test('console, errors and requests are kept, by level and bounded', async () => {
    await go('/console');
    const levels = async (level?: string) =>
      (await h.call('GET', '/console', level ? { level } : {})).messages.map((one: any) => one.text).slice(-3);
    await until(async () => (await levels()).includes('three'));
    assert.deepEqual(await levels('error'), ['three']);
    assert.deepEqual(await levels('warning'), ['two', 'three']);
    const { errors } = await until(async () => {
      const found = await h.call('GET', '/errors', { clear: 'yes' });
      return found.errors.length > 0 && found;
    });
    assert.equal(errors[0].message, 'boom');
    assert.deepEqual((await h.call('GET', '/errors')).errors, []);
    const { requests } = await h.call('GET', '/requests', { filter: '/console' });
    assert.deepEqual([requests[0].method, requests[0].status], ['GET', 200]);
    await go('/flood');
    await until(async () => (await levels()).at(-1) === 'line 2999');
    const flood = await h.call('GET', '/console');
    assert.equal(flood.messages.length, 500);
    assert.ok(flood.dropped >= 2500);
  });

  test('106: the answer to a request that is still to come', async () => {
    await go('/');
    const waiting = h.call('POST', '/response/body', { url: '*/form', maxChars: 30 });
    await h.act({ kind: 'evaluate', fn: 'setTimeout(() => fetch("/form"), 20) && 1' });
    const { response } = await waiting;
    assert.deepEqual([response.status, response.body.length, response.truncated], [200, 30, true]);
    await assert.rejects(
      h.call('POST', '/response/body', { url: 'never', timeoutMs: 500 }),
      fails('timeout', /No answer from "never"/),
    );
  });

  test('a PDF, cookies, storage and surroundings', async () => {
    await go('/form');
    assert.match((await readFile((await h.call('POST', '/pdf')).path)).toString('latin1'), /^%PDF/);
    await h.call('POST', '/cookies/set', { cookie: { name: 'a', value: '1', url: h.pages.url } });
    assert.equal((await h.call('GET', '/cookies')).cookies[0].value, '1');
    await h.call('POST', '/cookies/clear');
    assert.deepEqual((await h.call('GET', '/cookies')).cookies, []);
    await assert.rejects(
      h.call('POST', '/cookies/set', { cookie: { name: 'a' } }),
      fails('invalid', /url, or domain and path/),
    );
    await h.call('POST', '/storage/local/set', { key: 'k', value: 'v' });
    assert.deepEqual((await h.call('GET', '/storage/local', { key: 'k' })).values, { k: 'v' });
    await h.call('POST', '/storage/local/clear');
    await assert.rejects(h.call('GET', '/storage/cloud'), fails('invalid', /local or session/));
    await h.call('POST', '/set/timezone', { timezoneId: 'Asia/Tokyo' });
    await h.call('POST', '/set/media', { colorScheme: 'dark' });
    await h.call('POST', '/set/geolocation', { latitude: 1, longitude: 2 });
    await h.call('POST', '/set/device', { name: 'Pixel 7' });
    const seen = await h.act({
      kind: 'evaluate',
      fn:
        '[Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia("(prefers-color-scheme: ' +
        'dark)").matches, innerWidth]',
    });
    assert.deepEqual(seen.result.slice(0, 2), ['Asia/Tokyo', true]);
    await assert.rejects(
      h.call('POST', '/set/timezone', { timezoneId: 'Mars' }),
      fails('invalid', /does not take this timezoneId/),
    );
    await assert.rejects(h.call('POST', '/set/weather', {}), fails('not_found', /There is no \/set\/weather/));
    await h.call('POST', '/set/media', { colorScheme: 'none' });
    await h.call('POST', '/trace/start');
    await assert.rejects(h.call('POST', '/trace/start'), fails('conflict', /recorded already/));
    assert.match((await readFile((await h.call('POST', '/trace/stop')).path)).toString('latin1'), /^PK/);
    await assert.rejects(h.call('POST', '/trace/stop'), fails('conflict', /Start one first/));
  });
});
