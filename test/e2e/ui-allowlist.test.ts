/** The list of programs that run without asking, on the Processes page of a real gateway. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { harnessOfCases, skipWithoutChromium } from './ui-harness.ts';
import { sharedGateway } from './ui-shared-page.ts';

describe('programs that run without asking', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(harness);

  test('an entry is removed, brought back and added, and nothing is written over unseen', async () => {
    const { gateway, page } = await shared.conversation();
    await using chat = await gateway.connect();
    const patterns = async (): Promise<readonly string[]> =>
      ((await chat.call('exec.approvals.get')).file.agents?.main?.allowlist ?? []).map(
        ({ pattern }: { pattern: string }) => pattern,
      );
    const before = await chat.call('exec.approvals.get');
    const set = (list: readonly string[], baseHash: string): Promise<unknown> =>
      chat.call('exec.approvals.set', {
        file: { version: 1, agents: { main: { allowlist: list.map((pattern) => ({ pattern })) } } },
        baseHash,
      });
    await set(['/usr/bin/one'], before.hash);
    await page.click('[aria-label="Pages"] [title="Processes"]');
    await page.waitForSelector('claw-allowlist li code:text("/usr/bin/one")');
    await page.click('claw-allowlist button:text("Remove")');
    await page.waitForSelector('claw-allowlist li', { state: 'detached' });
    assert.deepEqual(await patterns(), []);
    await page.click('.toast .link:text("Undo")');
    await page.waitForSelector('claw-allowlist li code:text("/usr/bin/one")');
    await page.fill('.allowlist-form input', 'git');
    await page.click('.allowlist-form button');
    assert.equal(await page.locator('dialog').count(), 0, 'a bare name would allow any program of it');
    await page.fill('.allowlist-form input', '/usr/bin/git');
    await page.click('.allowlist-form button');
    await page.click('dialog button:text("Allow program")');
    await page.waitForSelector('claw-allowlist li code:text("/usr/bin/git")');
    assert.deepEqual(await patterns(), ['/usr/bin/one', '/usr/bin/git']);
    await set(['/usr/bin/other'], (await chat.call('exec.approvals.get')).hash);
    await page.click('claw-allowlist [aria-label="Remove /usr/bin/one"]');
    await page.waitForSelector('claw-allowlist .strip.bad');
    await page.waitForSelector('claw-allowlist li code:text("/usr/bin/other")');
    assert.deepEqual(await patterns(), ['/usr/bin/other']);
    await set([], (await chat.call('exec.approvals.get')).hash);
  });
});
