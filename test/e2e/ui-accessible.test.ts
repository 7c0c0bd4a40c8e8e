/** Accessibility of every page by axe-core, light and dark: no serious issues. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { everyPage } from './ui-every-page.ts';
import { harnessOfCases, skipWithoutChromium } from './ui-harness.ts';
import { sharedGateway } from './ui-shared-page.ts';

/** By night a page has the same elements in other colors: only these rules can find something else. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The page is not loaded anew from one case to the next, and still has it. */
const withAxe = (page: Page): Promise<unknown> =>
  page.evaluate('typeof axe').then((type) => (type === 'undefined' ? page.evaluate(axe.source) : undefined));

describe('accessible pages', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(harness);

  for (const { path, drawn } of everyPage)
    test(`${path} has nothing serious, by day and by night`, async () => {
      if (path === '/') {
        const { gateway } = await shared.at('/', '.top');
        await using chat = await gateway.connect();
        await chat.say('hello', { runId: 'axe' });
      }
      const { page } = await shared.at(path, drawn);
      await withAxe(page);
      for (const [colorScheme, rules] of [
        ['light', {}],
        ['dark', { runOnly: OF_COLORS }],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
          `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })})`,
        );
        assert.deepEqual(
          violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 200)}`)),
          [],
          `${path} ${colorScheme}`,
        );
      }
    });

  test('a button without a name is found out', async () => {
    const { page } = await shared.at('/debug', '.call');
    await withAxe(page);
    await page.evaluate(`document.querySelector('.call').insertAdjacentHTML('beforeend', '<button></button>')`);
    const { violations } = await page.evaluate<{ violations: readonly Violation[] }>('axe.run(document)');
    assert.ok(violations.some(({ id, impact }) => id === 'button-name' && impact === 'critical'));
  });
});
