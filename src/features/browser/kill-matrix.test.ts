/** SIGKILL of the browser while something is under way in it: the call ends, and nothing is done twice. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { until } from '../../testing/until.ts';
import { begin, killCases, type KillStage } from './fake-kill-cases.ts';
import { openHarness, skipWithoutChromium, type Harness } from './harness.ts';

describe('a browser that is killed while something is under way', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  let stage: KillStage;
  before(async () => {
    h = await openHarness();
    const files = [{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }];
    stage = {
      pages: h.pages,
      call: (method, path, given, options) => h.call(method, path, given, options?.file ? { files } : {}),
      status: () => h.call('GET', '/'),
    };
  });
  after(() => h[Symbol.asyncDispose]());

  for (const one of killCases())
    test(`${one.name}: the call ends with an error, nothing is done twice, and the next call works`, async () => {
      const { ended, asked } = await begin(one, stage);
      process.kill(await h.browserPid(), 'SIGKILL');
      const outcome = await ended;
      // An action that was nearly done may have a result; others must report what happened.
      if (outcome instanceof Error) {
        assert.ok(outcome instanceof AppError, outcome.stack);
        assert.notEqual(outcome.code, 'internal', outcome.message);
        assert.notEqual(outcome.code, 'timeout', outcome.message);
      } else assert.ok(one.mayAnswer, `${one.name} cannot have an answer`);
      await until(() => h.core.browserOf(h.core.profile(undefined)).now === undefined);
      const next = await h.see().catch((error: Error) => error.message);
      if (!one.endsPage) assert.match(next, /was started again\. The page that was open is gone/);
      await h.call('POST', '/tabs/open', { url: `${h.pages.url}/form` });
      assert.match(await h.see(), /Order/);
      if (one.asks !== undefined) assert.equal(asked(), 1, 'done once');
      await h.call('POST', '/stop');
    });
});
