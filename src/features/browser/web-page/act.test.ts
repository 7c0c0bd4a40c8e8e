import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AppError } from '../../../core/errors.ts';
import { fails, openHarness, skipWithoutChromium, type Harness } from '../harness.ts';
import { until } from '../../../testing/until.ts';

describe('acting on pages', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness({ limits: { downloadMaxMb: 1, tabsPerSession: 4 } });
    await h.call('POST', '/tabs/open', { url: h.pages.url });
  });
  after(() => h[Symbol.asyncDispose]());
  const go = (path: string) => h.call('POST', '/navigate', { url: h.pages.url + path });

  test('a form is filled and sent; what came of it is in the next snapshot', async () => {
    await go('/form');
    const [name, mail, terms, size] = await Promise.all(
      ['Name"', 'Mail"', 'Terms"', 'Size"'].map((text) => h.ref(text)),
    );
    const filled = await h.act({
      kind: 'fill',
      fields: [
        { ref: name, value: 'Ann' },
        { ref: `@${mail}`, type: 'text', value: 'a@b.example' },
        { value: 'no ref' },
        { ref: terms, value: 'true' },
      ],
    });
    assert.equal(filled.filled, 3);
    await h.act({ kind: 'select', ref: `ref=${size}`, values: ['Large'] });
    await h.act({ kind: 'click', ref: await h.ref('"Order"') });
    assert.match(await h.see(), /Ann\|a@b\.example\|true\|Large/);
    await h.act({ kind: 'type', ref: name, text: '' });
    await h.act({ kind: 'type', ref: name, text: 'Bo', slowly: true });
    await h.act({ kind: 'press', key: 'Tab' });
    assert.equal((await h.act({ kind: 'evaluate', fn: 'document.getElementById("name").value' })).result, 'Bo');
  });

  test('119: a ref of a page that is gone says so and hits nothing else', async () => {
    await go('/form');
    const order = await h.ref('"Order"');
    await go('/twice');
    await assert.rejects(
      h.act({ kind: 'click', ref: order }),
      fails('not_found', /belongs to a page that is gone.*new snapshot/),
    );
    await h.see();
    await assert.rejects(h.act({ kind: 'click', ref: order }), fails('not_found', /belongs to a page that is gone/));
    await assert.rejects(
      h.act({ kind: 'click', ref: 'e99999' }),
      fails('not_found', /Unknown ref "e99999".*new snapshot/),
    );
    await assert.rejects(h.act({ kind: 'click', ref: 'ax3' }), fails('invalid', /only informs/));
    await assert.rejects(h.act({ kind: 'click', ref: 'div > a' }), fails('invalid', /is no ref/));
  });

  test('an element that was drawn anew under its ref is told of', async () => {
    await go('/grow');
    const grow = await h.ref('"Grow"');
    await h.act({ kind: 'evaluate', fn: 'document.body.innerHTML = "<button>Grow</button>"; return 1' });
    await assert.rejects(h.act({ kind: 'click', ref: grow }), fails('not_found', /no longer on the page/));
  });

  /**
   * The reason why it cannot be clicked is found in half a second; a busy machine may need longer for the first check.
   */
  const rejects = async (ref: string, code: string, says: RegExp): Promise<void> => {
    let refused = await h.act({ kind: 'click', ref, timeoutMs: 500 }).catch((error: AppError) => error);
    for (let timeoutMs = 1000; refused.code !== code && timeoutMs <= 32_000; timeoutMs *= 2)
      refused = await h.act({ kind: 'click', ref, timeoutMs }).catch((error: AppError) => error);
    fails(code, says)(refused);
  };

  test('99: what is covered, hidden or disabled says what to do', async () => {
    await go('/covered');
    const under = await h.ref('"Under"');
    await rejects(under, 'conflict', /not interactable \(hidden or covered by <div/);
    await h.act({
      kind: 'evaluate',
      fn: 'document.querySelector("div").remove(); document.getElementById("under").style.display = "none"',
    });
    await rejects(under, 'timeout', /not found or not visible.*new snapshot/);
    await h.act({
      kind: 'evaluate',
      fn: '{ const b = document.getElementById("under"); b.style.display = ""; b.disabled = true }',
    });
    await rejects(await h.ref('"Under"'), 'conflict', /is disabled/);
  });

  test('107, 108: what cannot work is refused before it is tried', async () => {
    await go('/twice');
    const ref = await h.ref('"Other"');
    await assert.rejects(
      h.act({ kind: 'click', selector: '#x' }),
      fails('invalid', /`selector` is not supported in act/),
    );
    await assert.rejects(
      h.act({ kind: 'click', ref, button: 'fourth' }),
      fails('invalid', /button must be one of left, right, middle/),
    );
    await assert.rejects(
      h.act({ kind: 'click', ref, modifiers: ['Hyper'] }),
      fails('invalid', /modifiers must be among/),
    );
    await assert.rejects(h.act({ kind: 'fly' }), fails('invalid', /Unknown kind "fly"/));
    await assert.rejects(h.act({}), fails('invalid', /kind required/));
    await assert.rejects(h.act({ kind: 'click' }), fails('invalid', /ref required/));
    await assert.rejects(h.act({ kind: 'select', ref, values: [] }), fails('invalid', /values required/));
    await assert.rejects(h.act({ kind: 'fill', fields: [] }), fails('invalid', /fields required/));
    await assert.rejects(h.act({ kind: 'resize', width: 5 }), fails('invalid', /width and height required/));
    await assert.rejects(
      h.act({ kind: 'fill', fields: [{ ref, value: 'x' }] }),
      fails('invalid', /does not take that/),
    );
  });

  test('frames and open shadow roots are read and clicked', async () => {
    await go('/frames');
    await h.act({ kind: 'click', ref: await h.ref('"Inner"') });
    await h.act({ kind: 'click', ref: await h.ref('"Shadow"') });
    const seen = await h.see();
    assert.match(seen, /Inner pressed/);
    assert.match(seen, /Shadow pressed/);
    // 98: a snapshot of a frame alone gives refs that act in it
    const inner = await h.see({ frame: 'iframe' });
    assert.doesNotMatch(inner, /Shadow/);
    await h.act({
      kind: 'hover',
      ref: /\[ref=([^\]]+)\]/.exec(inner.split('\n').find((line) => line.includes('button'))!)![1],
    });
  });

  test('drag, scroll, resize and several acts at once', async () => {
    await go('/drag');
    await h.act({ kind: 'drag', startRef: await h.ref('"Card"'), endRef: await h.ref('"Place"') });
    assert.match(await h.see(), /dropped card/);
    await go('/tall');
    const bottom = await h.ref('"Bottom"');
    await h.act({ kind: 'scroll', ref: bottom });
    assert.ok((await h.act({ kind: 'evaluate', fn: '() => scrollY' })).result > 1000);
    assert.deepEqual(
      (({ width, height }) => [width, height])(await h.act({ kind: 'resize', width: 640.9, height: 480 })),
      [640, 480],
    );
    await go('/form');
    const [name, order] = [await h.ref('Name"'), await h.ref('"Order"')];
    const actions = [
      { kind: 'type', ref: name, text: 'Eve' },
      { kind: 'click', ref: order },
    ];
    assert.equal((await h.act({ kind: 'batch', actions })).results.length, 2);
    assert.match(await h.see(), /Eve\|/);
    const broken = [actions[0], { kind: 'click', ref: 'e12345' }, actions[1]];
    await assert.rejects(
      h.act({ kind: 'batch', actions: broken }),
      fails('not_found', /actions\[1\] failed.*1 before it was done/),
    );
    await assert.rejects(
      h.act({ kind: 'batch', actions: [{ kind: 'batch' }] }),
      fails('invalid', /cannot hold another/),
    );
  });

  test('104: wait for a text, an address, a selector, a state and a condition', async () => {
    await go('/later');
    await h.act({
      kind: 'wait',
      text: 'arrived',
      url: '*#done',
      selector: '#p',
      loadState: 'load',
      fn: '() => document.readyState === "complete"',
    });
    await h.act({ kind: 'wait', textGone: 'waiting' });
    await h.act({ kind: 'wait', timeMs: 1 });
    await assert.rejects(h.act({ kind: 'wait' }), fails('invalid', /wait needs one of/));
    await assert.rejects(
      h.act({ kind: 'wait', text: 'never', timeoutMs: 500 }),
      fails('timeout', /"never" did not come about/),
    );
    await assert.rejects(h.act({ kind: 'wait', loadState: 'soon' }), fails('invalid', /loadState must be/));
  });

  test('104: a condition that is false is waited for, whatever it is written as', async () => {
    await go('/form');
    for (const fn of ['false', '() => false', 'async () => 0', 'Promise.resolve(null)'])
      await assert.rejects(
        h.act({ kind: 'wait', fn, timeoutMs: 500 }),
        fails('timeout', /did not come about within 500 ms/),
        fn,
      );
    await h.act({ kind: 'evaluate', fn: 'setTimeout(() => { globalThis.ready = true; }, 100)' });
    await h.act({ kind: 'wait', fn: '() => globalThis.ready' });
  });

  test('evaluate takes expressions, functions and bodies, gives up on loops, and can be switched off', async () => {
    await go('/form');
    const run = async (fn: string, ref?: string, timeoutMs = 30_000) =>
      (await h.act({ kind: 'evaluate', fn, ...(ref ? { ref } : {}), timeoutMs })).result;
    assert.equal(await run('1 + 1;'), 2);
    assert.equal(await run('async () => await Promise.resolve("x")'), 'x');
    assert.equal(await run('const a = 2; return a * 3'), 6);
    assert.equal(await run('(el) => el.textContent', await h.ref('"Order"')), 'Order');
    await assert.rejects(run('throw new Error("mine")'), fails('invalid', /The script failed: .*mine/));
    await assert.rejects(run('}{'), fails('invalid', /SyntaxError/));
    await assert.rejects(run('"x".repeat(300000)'), fails('too_large', /at most 200000/));
    await assert.rejects(run('for (;;);', undefined, 1000), fails('timeout', /was stopped/));
    assert.equal(await run('5'), 5, 'the page goes on');
    await go('/csp');
    assert.equal(await run('document.body.innerText'), 'strict');
    h.configure({ evaluateEnabled: false });
    try {
      await assert.rejects(run('1'), fails('denied', /evaluateEnabled/));
      await assert.rejects(h.act({ kind: 'wait', fn: '1' }), fails('denied', /evaluateEnabled/));
    } finally {
      h.configure({ limits: { downloadMaxMb: 1, tabsPerSession: 4 } });
    }
  });

  test('103: dialogs are answered as armed; one nobody armed is dismissed and told', async () => {
    await go('/dialogs');
    const [ask, prompt, alert] = [await h.ref('"Confirm"'), await h.ref('"Prompt"'), await h.ref('"Alert"')];
    await h.call('POST', '/hooks/dialog', { accept: true });
    const armed = await h.act({ kind: 'click', ref: ask });
    assert.match(armed.notices.join(), /confirm dialog: "sure\?"\. It was accepted as armed/);
    assert.match(await h.see(), /confirm true/);
    await h.call('POST', '/hooks/dialog', { accept: true, promptText: 'me' });
    await h.act({ kind: 'click', ref: prompt });
    assert.match(await h.see(), /prompt me/);
    const unarmed = await h.act({ kind: 'click', ref: alert });
    assert.match(unarmed.notices.join(), /alert dialog: "hello"\. It was dismissed, because nobody had armed/);
    await assert.rejects(h.call('POST', '/hooks/dialog', {}), fails('invalid', /accept required/));
  });

  test('102: files go to the chooser that a click opens, or straight into an input', async () => {
    await go('/upload');
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    const choose = await h.ref('"Choose"');
    await h.call('POST', '/hooks/file-chooser', {}, { files: [file('old.txt', 'old')] });
    await h.call(
      'POST',
      '/hooks/file-chooser',
      { ref: choose },
      { files: [file('a.txt', 'one'), file('b.txt', 'two')] },
    );
    await h.act({ kind: 'wait', text: 'a.txt=one,b.txt=two' });
    await h.call('POST', '/hooks/file-chooser', { element: '#g' }, { files: [file('c.txt', 'three')] });
    await h.act({ kind: 'wait', text: 'c.txt=three' });
    const unarmed = await h.act({ kind: 'click', ref: choose });
    // The chooser opens after the click; on a busy machine, after the answer.
    const notices = unarmed.notices ?? (await until(async () => (await h.call('GET', '/console')).notices));
    assert.match(notices.join(), /Nobody had armed one/);
    await assert.rejects(
      h.call('POST', '/hooks/file-chooser', { ref: choose, element: '#g' }),
      fails('invalid', /Use one of ref/),
    );
  });

  test('105: downloads land in the folder of the session, named and bounded', async () => {
    await go('/');
    const saved = await h.call('POST', '/download', { ref: await h.ref('"File"') });
    assert.equal(await readFile(saved.path, 'utf8'), 'binary');
    assert.ok(saved.path.startsWith(join(h.folder, 'files', 'me')), saved.path);
    assert.equal(saved.suggestedFilename, 'ev_il.bin');
    const gone = await go('/large.bin');
    const notices = await until(async () => gone.notices ?? (await h.call('GET', '/console')).notices);
    // The data received when the size is checked; a slow download is then not complete.
    assert.match(notices.join(), /large\.bin" has (?:1\.\d|2) MiB, at most 1 MiB/);
  });

  test('pop-ups become tabs of the same session, and no more of them than it may have', async () => {
    await go('/popup');
    await h.act({ kind: 'click', ref: await h.ref('"Window"') });
    await until(async () => (await h.call('GET', '/tabs')).tabs.length === 2);
    assert.equal((await h.call('GET', '/tabs', {}, { caller: h.session('other') })).tabs.length, 0);
    await go('/popups');
    await h.act({ kind: 'click', ref: await h.ref('"Windows"'), timeoutMs: 60_000 });
    await until(async () => (await h.call('GET', '/console')).notices?.join().includes('as many tabs as it may have'));
    await until(async () => (await h.call('GET', '/tabs')).tabs.length <= 4);
  });

  test('a page that closes itself is told of', async () => {
    const { targetId } = await h.call(
      'POST',
      '/tabs/open',
      { url: `${h.pages.url}/self-close` },
      { caller: h.session('closer') },
    );
    const options = { caller: h.session('closer') };
    const popup = await h.act({ kind: 'evaluate', fn: 'window.open("/self-close") && 1', targetId }, options);
    assert.equal(popup.result, 1);
    await h.act({ kind: 'close', targetId }, options);
    await assert.rejects(h.act({ kind: 'press', key: 'a', targetId }, options), fails('not_found', /tab not found/));
  });
});
