import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { until } from '../../testing/until.ts';
import { openHarness, skipWithoutChromium, type Harness } from './harness.ts';

/** What is under way when the browser is killed. */
interface Case {
  readonly name: string;
  run(h: Harness, url: string): Promise<unknown>;
  /** It is under way once the page has sent this, which is answered by nobody; else once it was asked for. */
  readonly asks?: string;
}

const onPage = (script: string): string => `document.body.innerHTML = ${JSON.stringify(script)}`;
/** A button whose click does not come back before the server answers. */
const HELD =
  "<button onclick=\"const one = new XMLHttpRequest(); one.open('GET', '/silent?held', false); one.send()\">Held</button>";

const held = async (h: Harness): Promise<string> => {
  await h.act({ kind: 'evaluate', fn: onPage(HELD) });
  return h.ref('"Held"');
};

const CASES: readonly Case[] = [
  {
    name: 'click',
    asks: '/silent?held',
    run: async (h) => h.act({ kind: 'click', ref: await held(h), timeoutMs: 60_000 }),
  },
  {
    name: 'navigate',
    asks: '/silent?page',
    run: (h, url) => h.call('POST', '/navigate', { url: `${url}/silent?page` }),
  },
  {
    name: 'evaluate',
    asks: '/silent?fetch',
    run: (h) => h.act({ kind: 'evaluate', fn: 'await fetch("/silent?fetch")', timeoutMs: 60_000 }),
  },
  { name: 'open', asks: '/silent?tab', run: (h, url) => h.call('POST', '/tabs/open', { url: `${url}/silent?tab` }) },
  { name: 'wait', run: (h) => h.act({ kind: 'wait', text: 'never', timeoutMs: 60_000 }) },
  { name: 'screenshot', run: (h) => h.call('POST', '/screenshot', { fullPage: true }) },
  { name: 'snapshot', run: (h) => h.see() },
  { name: 'pdf', run: (h) => h.call('POST', '/pdf') },
  { name: 'download', run: (h) => h.call('POST', '/wait/download', { timeoutMs: 60_000 }) },
  { name: 'response body', run: (h) => h.call('POST', '/response/body', { url: 'never', timeoutMs: 60_000 }) },
  { name: 'press', run: (h) => h.act({ kind: 'press', key: 'a', delayMs: 10_000 }) },
];
const FEW = ['click', 'navigate', 'download', 'press'];
const cases = process.env['TEST_MATRICES'] === 'full' ? CASES : CASES.filter(({ name }) => FEW.includes(name));

describe('a browser that is killed while something is under way', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  before(async () => {
    h = await openHarness();
  });
  after(() => h[Symbol.asyncDispose]());

  for (const { name, run, asks } of cases)
    test(`${name}: the call ends with an error, nothing is done twice, and the next call works`, async () => {
      await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` });
      const from = h.pages.asked.length;
      const asked = (): number => h.pages.asked.slice(from).filter((one) => one === `GET ${asks}`).length;
      const work = run(h, h.pages.url);
      const ended = work.then(
        (answer) => answer,
        (error: unknown) => error,
      );
      if (asks !== undefined) await until(() => asked() === 1);
      process.kill(await h.browserPid(), 'SIGKILL');
      const outcome = await ended;
      // What was as good as done may have an answer; what was not says what happened.
      if (outcome instanceof Error) {
        assert.ok(outcome instanceof AppError, outcome.stack);
        assert.notEqual(outcome.code, 'internal', outcome.message);
        assert.notEqual(outcome.code, 'timeout', outcome.message);
      } else assert.equal(asks, undefined, `${name} cannot have an answer`);
      await until(() => h.core.browserOf(h.core.profile(undefined)).now === undefined);
      await assert.rejects(h.see(), /was started again\. The page that was open is gone/);
      await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` });
      assert.match(await h.see(), /Order/);
      if (asks !== undefined) assert.equal(asked(), 1, 'done once');
    });
});
