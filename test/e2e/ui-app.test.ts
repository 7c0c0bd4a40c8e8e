/** The pages of agents, skills, tools and usage, and the page as an app, on one real gateway. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../src/testing/until.ts';
import { becomes, harnessOfCases, REAL_TOKEN, say, skipWithoutChromium } from './ui-harness.ts';
import { sharedGateway, visit } from './ui-shared-page.ts';

const NEEDS =
  '{"clawdbot":{"requires":{"bins":["no-such-tool"]},"install":[{"kind":"brew","formula":"no-such-tool"}]}}';
const SKILL = `---\nname: ferry\ndescription: Knows the ferries.\nmetadata: ${NEEDS}\n---\n# Ferries\n<script>alert(1)</script>\n`;

/** What is kept, by address; and whether any of it has these words in it. */
const kept = (page: Page, word: string): Promise<{ urls: string[]; found: string[] }> =>
  page.evaluate(`(async () => {
    const [urls, found] = [[], []];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) {
        const response = await (await caches.open(name)).match(request);
        urls.push(new URL(request.url).pathname);
        const all = JSON.stringify([...response.headers]) + request.url + await response.text();
        if (all.includes(${JSON.stringify(word)})) found.push(request.url);
      }
    return { urls, found };
  })()`);

describe('pages of agents, and the page as an app', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(
    harness,
    {
      config: {
        agents: {
          list: [
            { id: 'main', identity: { name: 'Clawd' } },
            { id: 'shop', tools: { deny: ['write'] } },
          ],
        },
        bindings: [{ agentId: 'shop', match: { channel: 'telegram', peer: { kind: 'group', id: '-7' } } }],
        channels: { telegram: { enabled: false } },
        usage: { dailyBudgetUsd: 5 },
      },
      before: async (stateDir) => {
        await mkdir(join(stateDir, 'skills/ferry'), { recursive: true });
        await writeFile(join(stateDir, 'skills/ferry/SKILL.md'), SKILL);
      },
    },
    { permissions: ['notifications'], serviceWorkers: 'allow' },
  );

  test('agents: added, named, given a model, made to answer; the page asks the router who answers', async () => {
    const { page, gateway } = await shared.at('/agents', '.agent-choice');
    await page.click('.agent-choice.add');
    await page.fill('dialog input', 'Night Watch');
    await page.click('dialog button:text("Add agent")');
    await page.waitForSelector('.agent-choice[aria-pressed=true]:has-text("Night Watch")');
    await page.fill('.agent-identity [name=theme]', 'quiet');
    await page.click('button:text("Save identity")');
    await page.selectOption('.agent-model select', 'offline/concierge');
    await using chat = await gateway.connect();
    await until(async () => {
      const agent = await chat.call('agents.describe', { agentId: 'night-watch' });
      return agent.identity.theme === 'quiet' && agent.model.primary === 'offline/concierge';
    }, 'style and model in the configuration');
    await page.selectOption('[aria-label="Channel"]', 'telegram');
    await page.selectOption('[aria-label="Kind of chat"]', 'group');
    await page.fill('[aria-label="Chat or sender id"]', '-7');
    await page.click('button:text("Who answers this?")');
    await page.waitForSelector('.routing-answer:has-text("shop answers")');
    assert.match((await page.textContent('.routing-line.won'))!, /group -7.*shop.*The chat matches/s);
    const { route } = await chat.call('route.explain', { channel: 'telegram', chatKind: 'group', chatId: '-7' });
    assert.equal(route.agentId, 'shop', 'as messages are routed');
    await page.fill('[aria-label="Chat or sender id"]', '-8');
    await page.click('button:text("Who answers this?")');
    await page.waitForSelector('.routing-line.won:has-text("Everything else")');
    await page.click('button:text("Remove agent")');
    await page.click('dialog button:text("Remove agent")');
    await becomes(page, `document.querySelectorAll('.agent-choice:not(.add)').length === 2`);
    assert.equal((await chat.call('agents.list')).agents.length, 2);
  });

  test('bindings: added, tried, moved, saved, undone; not saved over what somebody else changed', async () => {
    const { page, gateway } = await shared.at('/agents', '.routing-line');
    await using chat = await gateway.connect();
    const places = async (): Promise<string[]> =>
      (await chat.call('config.get')).parsed.bindings.map(
        (one: { agentId: string; match: { channel: string } }) => `${one.match.channel} ${one.agentId}`,
      );
    await page.click('button:text("Add binding")');
    await page.selectOption('.binding-form [name=channel]', 'telegram');
    await page.selectOption('.binding-form [name=agentId]', 'main');
    await page.click('button:text("Add to the list")');
    await page.selectOption('.routing-form [name=channel]', 'telegram');
    await page.click('button:text("Who answers this?")');
    await page.waitForSelector('.routing-line.won:has-text("telegram"):has-text("Clawd")');
    assert.deepEqual(await places(), ['telegram shop'], 'tried without saving');
    await page.click('[aria-label^="Move earlier: telegram to"]');
    assert.match((await page.textContent('.routing-unsaved .diff'))!, /\+telegram → /);
    await page.click('button:text("Save bindings")');
    await until(async () => (await places()).join() === 'telegram main,telegram shop', 'the bindings in the file');
    await page.click('.toast button:text("Undo")');
    await until(async () => (await places()).join() === 'telegram shop', 'the bindings from before');
    await page.click('[aria-label^="Remove: telegram"]');
    await chat.call('agents.update', { agentId: 'shop', identity: { theme: 'loud' } });
    await page.waitForSelector('.routing-unsaved .strip.warn');
    assert.ok(await page.isDisabled('button:text("Save bindings")'));
    await page.click('button:text("Load it again")');
    await page.waitForSelector('.routing-unsaved', { state: 'detached' });
  });

  test('tools of an agent: taken away and given back, except where a general rule decides', async () => {
    const { page, gateway } = await shared.at('/agents?id=shop', '.agent-tool');
    await using chat = await gateway.connect();
    const has = async (name: string): Promise<boolean> =>
      (await chat.call('tools.explain', { agentId: 'shop' })).tools.find((one: { name: string }) => one.name === name)
        .allowed;
    const box = (name: string): string => `.agent-tool:has(span:text-is("${name}")) input`;
    assert.equal(await page.isChecked(box('write')), false);
    await page.click(box('write'));
    await until(() => has('write'), 'write is given');
    await page.selectOption('section:has(#agent-tools) select', 'messaging');
    await page.locator(`.agent-tools:not(:disabled) ${box('read')}:not(:checked)`).waitFor();
    await page.click(box('read'));
    await until(() => has('read'), 'read is added to the profile');
    await page.locator(`.agent-tools:not(:disabled) ${box('read')}:checked`).waitFor();
    await page.click(box('read'));
    await until(async () => !(await has('read')), 'read is taken away again');
    await chat.call('agents.update', { agentId: 'shop', tools: { profile: null, alsoAllow: null, deny: ['write'] } });
  });

  test('the rail: groups close and stay closed, the page shown stays, arrows go from entry to entry', async () => {
    const { page } = await shared.at('/agents', '.agent-choice');
    const shown = (): Promise<string[]> => page.locator('.rail-group .rail-item').allTextContents();
    assert.ok((await shown()).includes('Agents') && (await shown()).includes('Models'));
    await page.click('.rail-title:has-text("Set up")');
    assert.ok((await shown()).includes('Agents') && !(await shown()).includes('Models'));
    await page.click('.rail-title:has-text("Work")');
    assert.ok(!(await shown()).includes('Cron'));
    await page.reload();
    await page.waitForSelector('.agent-choice');
    assert.ok(!(await shown()).includes('Models') && !(await shown()).includes('Cron'), 'kept');
    for (const title of ['Set up', 'Work']) await page.click(`.rail-title:has-text("${title}")`);
    assert.ok((await shown()).includes('Models') && (await shown()).includes('Cron'));
    await page.focus('.rail-title');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate('document.activeElement.title'), 'Chat');
  });

  test('workspace files: saved, undone, and what the agent wrote meanwhile is not lost', async () => {
    const { page, gateway } = await shared.at('/agents', '.agent-text');
    await using chat = await gateway.connect();
    const { workspace } = await chat.call('agents.describe', { agentId: 'main' });
    await mkdir(workspace, { recursive: true });
    const file = join(workspace, 'USER.md');
    await writeFile(file, 'Ann\n');
    await page.click('.file-tab:has-text("USER.md")');
    await becomes(page, `document.querySelector('.agent-text').value === 'Ann\\n'`);
    await page.fill('.agent-text', 'Ann, in Lisbon\n');
    await page.press('.agent-text', 'Control+s');
    await page.click('button:text-is("Undo")');
    await until(async () => (await readFile(file, 'utf8')) === 'Ann\n', 'the old text in the file');
    await becomes(page, `document.querySelector('.agent-text').value === 'Ann\\n'`);
    await page.fill('.agent-text', 'mine\n');
    await writeFile(file, 'of the agent\n');
    await page.click('button:text("Save USER.md")');
    await page.waitForSelector('.strip.warn:has-text("was changed since you opened it")');
    assert.equal(await readFile(file, 'utf8'), 'of the agent\n');
    assert.equal(await page.inputValue('.agent-text'), 'mine\n');
    await page.click('button:text("Save mine over it")');
    await until(async () => (await readFile(file, 'utf8')) === 'mine\n', 'the text of the person');
  });

  test('skills: what is missing with the command that adds it, the text as text, and switching one off', async () => {
    const { page, gateway } = await shared.at('/skills', '.skill');
    await page.waitForSelector('.skill:has-text("ferry") .skill-state:text("Something is missing")');
    await page.waitForSelector('.skill-needs code:text("brew install no-such-tool")');
    await page.click('.skill summary');
    await page.waitForSelector('.skill-text:has-text("<script>alert(1)</script>")');
    await page.click('.skill button:has-text("Disable")');
    await page.waitForSelector('.skill-state:text("Disabled")');
    await using chat = await gateway.connect();
    assert.deepEqual((await chat.call('agents.describe', { agentId: 'main' })).skills, []);
    await page.click('.skill button:has-text("Enable")');
    await becomes(page, `!document.querySelector('.skill-state').textContent.includes('Disabled')`);
    assert.equal((await chat.call('agents.describe', { agentId: 'main' })).skills, undefined);
  });

  test('tools: the rule that took one away, and what the calls of another may do', async () => {
    const { page } = await shared.at('/tools', '.tool-line');
    await page.selectOption('select[name=agentId]', 'shop');
    await page.waitForSelector('.tool-line.removed:has-text("write") code:text("agents.list[1].tools.deny")');
    await page.click('button:text-is("Allowed")');
    await becomes(page, `!document.querySelector('.tool-line.removed')`);
    await page.click('.tool-line:has(b:text-is("read")) summary');
    await page.waitForSelector('.tool-acts li');
  });

  test('usage: an answer is counted as it ends, in the plot, the table and on the overview', async () => {
    const { page, gateway } = await shared.at('/usage', 'claw-usage .tile');
    await using chat = await gateway.connect();
    await chat.say('count me', { session: 'agent:main:web:count' });
    await page.waitForSelector('.usage-plot');
    await page.selectOption('[aria-label="Figure"]', 'turns');
    await page.waitForSelector('.usage-plot .usage-bar');
    await page.selectOption('[aria-label="Split by"]', 'channel');
    await page.waitForSelector('.usage-key:has-text("webchat")');
    await page.click('.usage-days summary');
    await page.waitForSelector('.usage-days td');
    await page.selectOption('[aria-label="Figure"]', 'cost');
    await page.waitForSelector('.usage-budget', { state: 'attached' });
    await visit(page, '/overview');
    await page.waitForSelector('.usage-card dt:text("Turns today")');
  });

  test('the shell opens without a gateway, with what was typed; nothing else is kept', async () => {
    const { page, gateway } = await shared.conversation();
    const token = REAL_TOKEN;
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await say(page, 'a private question');
    await page.waitForSelector('.answer.done');
    await page.reload();
    await page.waitForSelector('.chat claw-composer textarea');
    await becomes(page, 'navigator.serviceWorker.controller !== null');
    await page.evaluate(`Promise.all(['./avatar/main', './healthz', './theme.js?x=1']
      .map((path) => fetch(path).catch(() => undefined))).then(() => true)`);
    await page.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.postMessage({ type: 'keep',
      urls: ['/avatar/main', 'http://evil.example/assets/x-abcdefgh.js', './healthz', 7, '/assets/../avatar/main'].map(
        (url) => typeof url === 'string' ? new URL(url, document.baseURI).href : url) }))`);
    await until(async () => (await kept(page, token)).urls.length > 3, 'the shell to be kept');
    const { urls, found } = await kept(page, token);
    assert.deepEqual(found, [], 'the token is nowhere');
    assert.deepEqual((await kept(page, 'a private question')).found, []);
    const own = /^\/(?:assets\/[\w.-]+\.(?:js|css)|theme\.js|favicon\.svg|icon-\d+\.png|manifest\.webmanifest)?$/;
    assert.deepEqual(
      urls.filter((url) => !own.test(url)),
      [],
    );
    await page.fill('.composer textarea', 'half a thou');
    await page.context().setOffline(true);
    await page.reload();
    await becomes(page, `document.querySelector('.composer textarea')?.value === 'half a thou'`);
    await page.context().setOffline(false);
    await using chat = await gateway.connect();
    await chat.call('agents.update', { agentId: 'main', identity: { name: 'Renamed' } });
    await page.reload();
    await page.waitForSelector('meta[name="clawdbot-assistant-name"][content="Renamed"]', { state: 'attached' });
    await becomes(
      page,
      `caches.open('clawdbot-shell').then((cache) => cache.match(new URL('./', document.baseURI)))
      .then((shell) => shell.text()).then((text) => text.includes('Renamed')) && true`,
    );
  });

  test('no other script becomes a service worker, and documents of agents are left alone', async () => {
    const { page, gateway } = await shared.at('/', '.chat claw-composer textarea');
    const asWorker = async (path: string): Promise<number> =>
      (await gateway.fetch(path, { headers: { 'service-worker': 'script' } })).status;
    assert.equal(await asWorker('/sw.js'), 200);
    assert.equal(await asWorker('/node/worker.js'), 200);
    for (const path of [
      '/node/viewer.js',
      '/node/',
      '/node/../theme.js',
      '/node//worker.js',
      '/theme.js',
      '/',
      '/__openclaw__/canvas/x.js',
      '/avatar/main',
      '/pages/toy/index.js',
    ])
      assert.equal(await asWorker(path), 403, path);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    assert.equal(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)'), 1);
  });

  test('what another app shares lies in the composer, and is not sent', async () => {
    const { page, gateway } = await shared.at('/', '.chat claw-composer textarea');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await becomes(page, 'navigator.serviceWorker.controller !== null');
    const asked = gateway.models.requests.length;
    await page.evaluate(`{
      const form = Object.assign(document.createElement('form'), {
        method: 'post', enctype: 'multipart/form-data', action: './share-target' });
      for (const [name, value] of [['title', 'A page'], ['text', '/reset'], ['url', 'https://example.com/a?b=1']])
        form.append(Object.assign(document.createElement('input'), { name, value }));
      document.body.append(form);
      form.submit();
    }`);
    await becomes(page, `document.querySelector('.composer textarea')?.value.includes('A page')`);
    assert.equal(await page.inputValue('.composer textarea'), 'A page\n/reset\nhttps://example.com/a?b=1');
    assert.ok(!page.url().includes('shared') && !page.url().includes('example.com'));
    assert.equal(gateway.models.requests.length, asked, 'nothing was sent');
    assert.deepEqual((await kept(page, 'example.com')).found, [], 'taken up once');
    await page.fill('.composer textarea', '');
  });
});
