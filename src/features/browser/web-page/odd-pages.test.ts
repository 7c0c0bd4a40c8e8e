/** Unusual pages: documents that never finish loading, windows, pictures, frames of other sites. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { pictureSize } from '../../../platform/pictures/picture-size.ts';
import { until } from '../../../testing/until.ts';
import { plainTree } from './aria-tree.ts';
import { snapshotText } from './snapshot-text.ts';
import { fails, openHarness, skipWithoutChromium, type Harness } from '../harness.ts';

const never = new AbortController().signal;

describe('pages out of the ordinary', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness();
  });
  after(() => h[Symbol.asyncDispose]());
  const go = (path: string): Promise<any> => h.call('POST', '/navigate', { url: `${h.pages.url}${path}` });
  const click = async (text: string): Promise<any> => h.act({ kind: 'click', ref: await h.ref(text) });

  test('a document a script opened and never closed is read as far as it goes, and acted on', async () => {
    await go('/half-written');
    const first = await h.call('GET', '/snapshot');
    assert.match(first.snapshot, /button "Half"/);
    assert.equal(first.loading, true);
    await click('"Half"');
    assert.match(await h.see(), /button "1"/);
    await go('/form');
    assert.equal((await h.call('GET', '/snapshot')).loading, undefined);
  });

  test('a window that was written and never closed is read and acted on', async () => {
    await go('/written-window');
    await click('"Open"');
    const tabs = async (): Promise<readonly { targetId: string }[]> => (await h.call('GET', '/tabs')).tabs;
    await until(async () => (await tabs()).length === 2);
    const { targetId } = (await tabs())[1]!;
    const { snapshot } = await h.call('GET', '/snapshot', { targetId });
    await h.call('DELETE', `/tabs/${targetId}`);
    assert.match(snapshot, /heading "Written"[\s\S]*button "In it".*\[ref=/);
  });

  test('the tree without refs has the words and roles of the page', async () => {
    await go('/form');
    const tab = await h.core.tab(h.core.profile(undefined), { caller: h.session('me'), signal: never });
    const text = snapshotText(await plainTree(tab.cdp), new Map(), {}).text;
    assert.match(text, /heading "Shop"[\s\S]*textbox "Name"[\s\S]*checkbox "Terms"[\s\S]*button "Order"/);
    assert.doesNotMatch(text, /ref=|InlineTextBox/);
  });

  test('a page drawn as a picture says what to do, and is clicked by place', async () => {
    await go('/canvas');
    assert.match(await h.see(), /nothing to read.*screenshot.*click \{x, y\}/);
    assert.equal((await h.act({ kind: 'click', x: 40, y: 30, modifiers: ['Shift'] })).on, '(40, 30)');
    const titled = async (): Promise<string> => (await h.call('GET', '/tabs')).tabs[0].title;
    assert.equal(await titled(), 'at 40 30 true');
    await assert.rejects(h.act({ kind: 'click', x: 40, y: 99_999 }), fails('invalid', /outside of the window/));
    await assert.rejects(h.act({ kind: 'click', x: 40 }), fails('invalid', /x and y required/));
    await assert.rejects(h.act({ kind: 'click', x: 1, y: 1, ref: 'e1' }), fails('invalid', /not both/));
    await go('/closed-root');
    assert.match(await h.see(), /closed shadow roots/);
    assert.match(JSON.stringify((await h.call('GET', '/snapshot', { format: 'aria' })).nodes), /Hidden button/);
  });

  test('a frame of another origin is read, clicked and pictured', async () => {
    await h.call('POST', '/navigate', { url: `http://page.example:${h.pages.port}/other-origin` });
    await click('"Inner"');
    const ref = await h.ref('"Inner pressed"');
    const { path } = await h.call('POST', '/screenshot', { ref });
    assert.ok(pictureSize(await readFile(path))!.width < 300);
  });

  test('a list in a shadow root, a print window, a cookie banner', async () => {
    await go('/shadow-select');
    await h.act({ kind: 'select', ref: await h.ref('combobox'), values: ['Large'] });
    assert.match(await h.see(), /option "Large" \[selected\]/);
    await go('/print');
    await click('"Print"');
    assert.match(await h.see(), /"printed"/);
    await go('/consent');
    await assert.rejects(
      h.act({ kind: 'click', ref: await h.ref('"Buy"'), timeoutMs: 600 }),
      fails('conflict', /covered by <.*Close what covers it/),
    );
    await click('Accept all');
    await click('"Buy"');
    assert.match(await h.see(), /"Bought"/);
  });

  test('a window without an opener belongs to the session that opened it', async () => {
    await go('/noopener');
    await click('New window');
    await until(async () => (await h.call('GET', '/tabs')).tabs.length === 2);
    const { tabs } = await h.call('GET', '/tabs');
    assert.match(tabs[1].url, /\/form$/, 'it belongs to the session that opened it');
    await h.call('DELETE', `/tabs/${tabs[1].targetId}`);
  });

  test('a page that asks whether to stay: it stays unless told, and closes all the same', async () => {
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/unsaved` });
    await h.act({ kind: 'type', ref: await h.ref('Draft'), text: 'x', slowly: true });
    await assert.rejects(go('/form'), fails('conflict', /asked whether to stay/));
    assert.equal((await h.act({ kind: 'close' })).closed, true);
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/unsaved` });
    await h.act({ kind: 'type', ref: await h.ref('Draft'), text: 'x', slowly: true });
    await h.call('POST', '/hooks/dialog', { accept: true });
    assert.match((await go('/form')).url, /\/form$/);
  });

  test('an element is pictured in its own pixels, whatever the zoom', async () => {
    await go('/box');
    const sizeOf = async () => {
      const { path } = await h.call('POST', '/screenshot', { element: '#b' });
      const { width, height } = pictureSize(await readFile(path))!;
      return [width, height];
    };
    assert.deepEqual(await sizeOf(), [200, 100]);
    await h.act({ kind: 'evaluate', fn: 'document.body.style.zoom = 2' });
    assert.deepEqual(await sizeOf(), [400, 200]);
  });

  test('a tab that somebody closes by hand is gone for its session, and for nobody else', async () => {
    const other = { caller: h.session('other') };
    const mine = await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` });
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/box` }, other);
    const { cdpUrl } = await h.call('GET', '/');
    await fetch(`${cdpUrl}/json/close/${mine.targetId}`);
    await until(async () =>
      (await h.call('GET', '/tabs')).tabs.every(({ targetId }: { targetId: string }) => targetId !== mine.targetId),
    );
    await assert.rejects(
      h.call('GET', '/snapshot', { targetId: mine.targetId }),
      fails('not_found', /tab not found.*`tabs` lists yours/),
    );
    assert.match((await h.call('GET', '/snapshot', {}, other)).url, /\/box$/);
  });

  test('a page that is busy without an end: each call ends in its time and says so', async () => {
    await h.call('POST', '/tabs/open', { url: `${h.pages.url}/held` });
    await h.act({ kind: 'evaluate', fn: 'busy()' });
    const timeoutMs = 500;
    const calls: readonly (readonly [method: string, path: string, given?: object])[] = [
      ['POST', '/screenshot'],
      ['POST', '/pdf'],
      ['GET', '/storage/local'],
      ['POST', '/set/media', { colorScheme: 'dark' }],
      ['POST', '/act', { kind: 'press', key: 'a' }],
      ['POST', '/act', { kind: 'click', x: 5, y: 5 }],
      ['POST', '/act', { kind: 'evaluate', fn: '1' }],
    ];
    for (const [method, path, given] of calls)
      await assert.rejects(
        h.call(method, path, { ...given, timeoutMs }),
        fails('timeout', /is busy and did not answer|did not end within 500 ms/),
        path,
      );
    await h.act({ kind: 'close' });
  });

  test('two sessions at one profile at the same time act on their own pages', async () => {
    const done = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => {
        const by = { caller: h.session(name) };
        await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` }, by);
        const refOf = async (element: RegExp): Promise<string> => {
          const answer = await h.call('GET', '/snapshot', {}, by);
          const found = new RegExp(`${element.source}.*\\[ref=(\\w+)\\]`).exec(answer.snapshot);
          assert.ok(found, `${name}: ${JSON.stringify(answer)}`);
          return found[1]!;
        };
        for (let turn = 0; turn < 3; turn++)
          await h.act({ kind: 'type', ref: await refOf(/textbox "Name"/), text: `${name} ${turn}` }, by);
        await h.act({ kind: 'click', ref: await refOf(/button "Order"/) }, by);
        return (await h.call('GET', '/snapshot', {}, by)).snapshot as string;
      }),
    );
    for (const [at, name] of ['one', 'two', 'three'].entries()) assert.match(done[at]!, new RegExp(`${name} 2\\|`));
  });
});
