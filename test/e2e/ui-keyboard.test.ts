/** By keyboard alone, on every page: everything is reached and seen to be, nothing holds the focus, work begins. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { everyPage } from './ui-every-page.ts';
import { becomes, harnessOfCases, skipWithoutChromium } from './ui-harness.ts';
import { sharedGateway } from './ui-shared-page.ts';

/** More than any page has places for the focus. */
const MAX_TABS = 900;
/** Between two looks at how far the focus came. */
const STRIDE = 12;

const has = (selector: string, words: string): string =>
  `[...document.querySelectorAll('${selector}')].some((one) => one.textContent.includes('${words}'))`;
const DIALOG = `!!document.querySelector('dialog[open]')`;

/** Per page the control its first action begins with, what is typed there, and what is true then; Enter comes last. */
const FIRST: Readonly<Record<string, readonly [control: string, typed: string, done: string]>> = {
  '/': ['.composer textarea', 'by keyboard', has('.person', 'by keyboard')],
  '/setup': ['.provider-choice', '', `!!document.querySelector('main form input, main .field')`],
  '/overview': ['.slow-step', '', DIALOG],
  '/sessions': ['.bar input[type=search]', 'nobody', has('main', 'No sessions match')],
  '/channels': ['.other-channel button', '', `!!document.querySelector('claw-channel-setup .field')`],
  '/models': ['.model-row button', '', has('.model-works', 'Answered in')],
  '/cron': ['.cron-head button', '', DIALOG],
  '/processes': ['.allowlist-form input', '/usr/bin/true', DIALOG],
  '/agents': ['.agent-choice.add', '', DIALOG],
  '/usage': ['.usage select[aria-label="Split by"]', 'by agent', has('main h2', 'By agent')],
  '/skills': ['main input[type=search]', 'x', `document.querySelector('main input[type=search]').value === 'x'`],
  '/tools': ['.tool-line summary', '', `!!document.querySelector('.tool-line details[open], details.tool-line[open]')`],
  '/config': ['main input[type=search]', 'thinkingDefault', has('.setting', 'Thinking default')],
  '/logs': ['main input[type=search]', 'nobody', `!document.querySelector('.log-line')`],
  '/devices': ['main .button.danger', '', DIALOG],
  '/debug': ['.call input', 'health', `!!document.querySelector('.call-answer')`],
  '/canvas': ['.parts button:not([aria-current=page])', '', `!!document.querySelector('claw-a2ui')`],
  '/a2ui': ['.parts button:not([aria-current=page])', '', `!!document.querySelector('claw-canvas')`],
  '/nodes': ['main .button', '', DIALOG],
  '/browser': ['.browser-open .field', 'example.com', `document.querySelector('.browser-open .field').value !== ''`],
};

/** Notes who listens to clicks, before anything of the page runs. */
const NOTE_CLICKS = `{
  const add = EventTarget.prototype.addEventListener;
  globalThis.clicked = new Set();
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === 'click' && this instanceof Element) clicked.add(this);
    return add.call(this, type, ...rest);
  };
}`;

/** Watches the focus from now on: where it was, and where nobody would see it. */
const WATCH = `(() => {
  globalThis.watching?.abort();
  globalThis.watching = new AbortController();
  const looks = (one) => {
    const { outline, boxShadow, borderColor, backgroundColor, textDecorationLine } = getComputedStyle(one);
    return [outline, boxShadow, borderColor, backgroundColor, textDecorationLine].join();
  };
  const around = (one) => {
    const found = [one, one.nextElementSibling];
    for (let up = one.parentElement; up && found.length < 6; up = up.parentElement) found.push(up);
    return found.filter(Boolean);
  };
  document.activeElement?.blur();
  const before = new Map([...document.querySelectorAll('*')].map((one) => [one, looks(one)]));
  const words = globalThis.words = (one) => one.localName
    + '.' + (one.getAttribute('class') ?? '').trim().replaceAll(/\\s+/g, '.')
    + ' "' + (one.getAttribute('aria-label') ?? one.title ?? one.textContent).trim().slice(0, 30) + '"';
  globalThis.walk = { seen: new Set(), blind: new Set(), beyond: new Set(), rounds: 0 };
  document.addEventListener('focusin', ({ target }) => {
    walk.seen.add(target);
    if (target.matches('.skip')) walk.rounds += 1;
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const outlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    const changes = around(target).some((one) => before.has(one) && looks(one) !== before.get(one));
    if (!outlined && !changes) walk.blind.add(words(target));
    const { top, bottom, left, right } = target.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight || right < 0 || left > innerWidth) walk.beyond.add(words(target));
  }, { capture: true, signal: watching.signal });
})()`;

/** What a pointer could press and the focus has not been on. */
const UNREACHED = `(() => {
  const native = 'a[href], button, input, select, textarea, summary, audio[controls], video[controls]';
  const isThere = (one) => one.isConnected && one.checkVisibility({ visibilityProperty: true })
    && one.getClientRects().length > 0 && !one.closest('[inert]') && !one.matches(':disabled');
  const reacts = [...clicked].filter((one) => !one.localName.includes('-')
    && !one.matches('dialog, label, .shade, nav, form') && !one.querySelector(native));
  const all = new Set([...document.querySelectorAll(native + ', [tabindex="0"]'), ...reacts]);
  const wanted = [...all].filter(isThere);
  const radioSeen = (one) => one.type === 'radio'
    && [...walk.seen].some((other) => other.type === 'radio' && other.name === one.name);
  const left = wanted.filter((one) => !walk.seen.has(one) && !radioSeen(one));
  globalThis.left = left;
  return { wanted: wanted.length, left: left.map(words) };
})()`;

interface Left {
  readonly wanted: number;
  readonly left: readonly string[];
}

/** From the beginning until it comes round; out of a frame of another origin, which ends a page, by Shift+Tab. */
async function tabThrough(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('.skip').focus(), (walk.rounds = 0)`);
  let seen = -1;
  for (let tabs = 0; tabs < MAX_TABS; tabs += STRIDE) {
    for (let nth = 0; nth < STRIDE; nth++) await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>('walk.rounds > 0')) return;
    const now = await page.evaluate<number>('walk.seen.size');
    if (now === seen && (await page.evaluate<boolean>(`!!document.querySelector('iframe')`))) {
      for (let back = 0; back < STRIDE; back++) {
        await page.keyboard.press('Shift+Tab');
        if (await page.evaluate<boolean>(`!document.activeElement.matches('iframe, body')`)) return;
      }
    }
    seen = now;
  }
  assert.fail(`the focus never came round; it is on ${await page.evaluate('words(document.activeElement)')}`);
}

/** Groups of which the focus takes one, and the arrows the others: the arrows have to go on. */
async function arrowsInGroups(page: Page): Promise<void> {
  for (let groups = 0; groups < 20; groups++) {
    const begun = await page.evaluate<boolean>(`(() => {
      for (const one of left.filter(({ tabIndex, isConnected }) => tabIndex === -1 && isConnected))
        for (let up = one.parentElement; up && !up.matches('main'); up = up.parentElement) {
          const first = [...walk.seen].find((seen) => seen.isConnected && seen.tabIndex === 0
            && seen.localName === one.localName && seen.classList[0] === one.classList[0] && up.contains(seen));
          if (!first) continue;
          globalThis.group = (one) => one.localName === first.localName && one.classList[0] === first.classList[0];
          first.focus();
          return true;
        }
      return false;
    })()`);
    if (!begun) return;
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowLeft']) await page.keyboard.press(key);
    const moved = await page.evaluate<number>(`[...walk.seen].filter(group).length`);
    assert.ok(moved > 1, 'arrows go from one of a group to the next');
    await page.evaluate(
      `for (const one of document.querySelectorAll('[tabindex="-1"]')) if (group(one)) walk.seen.add(one);`,
    );
    await page.evaluate(UNREACHED);
  }
}

describe('by keyboard alone', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(harness);
  const score = { pages: 0, controls: 0 };

  before(async () => {
    const { gateway } = await shared.at('/', '.top');
    await using chat = await gateway.connect();
    await chat.say('hello');
    await chat.call('cron.add', {
      name: 'Brief',
      schedule: 'every day at 7:30',
      payload: { kind: 'systemEvent', text: 'x' },
      sessionTarget: 'main',
    });
  });
  after(() => console.log(`# by keyboard: ${score.controls} controls on ${score.pages} of ${everyPage.length} pages`));

  /** The page of a case that failed is another one. */
  async function opened(path: string, drawn: string): Promise<Page> {
    const { page } = await shared.at('/', '.top');
    if (!(await page.evaluate('!!globalThis.clicked'))) {
      await page.addInitScript(NOTE_CLICKS);
      await page.reload();
    }
    await shared.at(path, drawn);
    return page;
  }

  for (const { path, drawn } of everyPage)
    test(`${path}: all of it is reached and seen, and left again`, async () => {
      const [control, typed, done] = FIRST[path]!;
      const page = await opened(path, drawn);
      await page.waitForSelector(control);
      await page.evaluate(WATCH);
      await tabThrough(page);
      if ((await page.evaluate<Left>(UNREACHED)).left.length > 0) {
        await arrowsInGroups(page);
        // What an arrow chose may have brought more.
        await tabThrough(page);
      }
      const { wanted, left } = await page.evaluate<Left>(UNREACHED);
      assert.deepEqual(left, [], 'what the focus never came to');
      assert.deepEqual(await page.evaluate('[...walk.blind]'), [], 'focus that nobody sees');
      assert.deepEqual(await page.evaluate('[...walk.beyond]'), [], 'focus beyond the window');
      // A dialog takes the focus, and Escape gives it back.
      await page.evaluate(`document.querySelector('.rail-item').focus()`);
      await page.keyboard.press('?');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await becomes(page, `!document.querySelector('dialog[open]') && document.activeElement.matches('.rail-item')`);
      assert.ok(await page.evaluate(`walk.seen.has(document.querySelector(${JSON.stringify(control)}))`), control);
      await page.focus(control);
      if (typed) await page.keyboard.type(typed);
      // A browser would start, and a list would open, which no case here looks at.
      if (!['/browser', '/usage'].includes(path)) await page.keyboard.press('Enter');
      await becomes(page, done);
      await page.keyboard.press('Escape');
      await becomes(page, `!(${DIALOG})`);
      score.pages += 1;
      score.controls += wanted;
    });
});
