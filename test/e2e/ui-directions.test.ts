/**
 * From right to left and from left to right, with words that never end, as wide as a phone and as a desk: no page is
 * wider than its window, and no control lies over another.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { everyPage } from './ui-every-page.ts';
import { harnessOfCases, skipWithoutChromium } from './ui-harness.ts';
import { sharedGateway } from './ui-shared-page.ts';

const WORD = `ﷺשלום${'Donaudampfschifffahrtsgesellschaft'.repeat(8)}`;
const NAME = WORD.slice(0, 60);
const WIDTHS = { phone: { width: 360, height: 740 }, desk: { width: 1200, height: 800 } };

/** What is wider than the window, or lies over another: each as words. */
const FAULTS = `(() => {
  const boxOf = (one, { left, right, top, bottom }) => {
    const box = { left, right, top, bottom };
    for (let up = one.parentElement; up; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const edge = up.getBoundingClientRect();
      box.left = Math.max(box.left, edge.left); box.right = Math.min(box.right, edge.right);
      box.top = Math.max(box.top, edge.top); box.bottom = Math.min(box.bottom, edge.bottom);
    }
    return box.right - box.left > 2 && box.bottom - box.top > 2 ? [box] : [];
  };
  // What floats over the page lies over what scrolls below it.
  const layerOf = (one) => {
    for (let up = one; up; up = up.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(up).position)) return up;
    return document;
  };
  const words = (one) => one.localName + '.' + (one.getAttribute('class') ?? '').trim().replaceAll(/\\s+/g, '.')
    + ' "' + (one.getAttribute('aria-label') ?? one.title ?? one.textContent).trim().slice(0, 24) + '"';
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, audio, video')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert]'))
    .map((one) => ({ one, layer: layerOf(one), boxes: [...one.getClientRects()].flatMap((box) => boxOf(one, box)) }));
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  // A row of the list is one button, which keeps room for that of its actions.
  const inRow = (a, b) => a.matches('.session-open') && b.matches('.session-more')
    && a.parentElement === b.parentElement;
  const faults = controls.flatMap((a, at) => controls.slice(at + 1)
    .filter((b) => a.layer === b.layer && !a.one.contains(b.one) && !b.one.contains(a.one) && !inRow(a.one, b.one)
      && a.boxes.some((one) => b.boxes.some((other) => meet(one, other))))
    .map((b) => words(a.one) + ' lies over ' + words(b.one)));
  const main = document.querySelector('main');
  for (const one of [document.documentElement, main])
    if (one.scrollWidth > one.clientWidth) {
      const edge = one.getBoundingClientRect();
      const reaches = (some) => {
        const { left, right, width } = some.getBoundingClientRect();
        return (width > 0 && (right > edge.right + 1 || left < edge.left - 1)) || (some.clientWidth > 0
          && some.scrollWidth > some.clientWidth + 1 && getComputedStyle(some).overflowX === 'visible');
      };
      const beyond = [...one.querySelectorAll('*')]
        .filter((some) => reaches(some) && ![...some.children].some(reaches)).slice(0, 3).map(words);
      faults.push(one.localName + ' is ' + one.scrollWidth + ' wide in ' + one.clientWidth + ': ' + beyond);
    }
  return { controls: controls.length, faults: [...new Set(faults)].slice(0, 8) };
})()`;

describe('directions and endless words', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(harness, { config: { agents: { list: [{ id: 'main', name: NAME }, { id: 'two' }] } } });

  before(async () => {
    const { gateway } = await shared.at('/', '.top');
    await using chat = await gateway.connect();
    gateway.models.reply({ text: [`${WORD} **${WORD}** \`${WORD}\`\n\n| ${WORD} | b |\n|---|---|\n| 1 | ${WORD} |`] });
    await chat.say(WORD);
    gateway.models.reply({ text: ['fine'] });
    await chat.say(WORD, { session: 'agent:main:web:long' });
    await chat.call('sessions.patch', { key: 'agent:main:web:long', label: NAME });
    await chat.call('cron.add', {
      name: NAME,
      schedule: 'every day at 7:30',
      payload: { kind: 'systemEvent', text: WORD },
      sessionTarget: 'main',
    });
  });

  for (const { path, drawn } of everyPage)
    test(`${path} fits`, async (t) => {
      const { page } = await shared.at(path, drawn);
      try {
        for (const dir of ['rtl', 'ltr'])
          for (const [name, size] of Object.entries(WIDTHS)) {
            await page.setViewportSize(size);
            await page.evaluate(`document.documentElement.dir = ${JSON.stringify(dir)}`);
            // Two frames: lists measure what they drew in the first.
            await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
            const { controls, faults } = await page.evaluate<{ controls: number; faults: string[] }>(FAULTS);
            assert.ok(controls > 2, `${controls} controls`);
            assert.deepEqual(faults, [], `${dir} ${name}`);
            t.diagnostic(`${path} ${dir} ${name}: ${controls} controls`);
          }
      } finally {
        await page.setViewportSize(WIDTHS.desk);
        await page.evaluate(`document.documentElement.removeAttribute('dir')`);
      }
    });
});
