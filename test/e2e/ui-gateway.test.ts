/** The page with a real gateway: from the token in the address to an answer that survives a restart. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startGateway, withModel } from '../../src/testing/running-gateway.ts';
import { becomes, harnessOfCases, REAL_TOKEN, say, skipWithoutChromium } from './ui-harness.ts';
import { sharedGateway } from './ui-shared-page.ts';

const skip = skipWithoutChromium;
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('web chat on the real gateway', { skip }, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(harness);
  const offline = sharedGateway(harness, { offline: true });

  const address = (port: number, path = ''): string => `http://127.0.0.1:${port}/${path}#token=${REAL_TOKEN}`;

  test('a newcomer talks to the offline helper, sees its tool at work and what happened', async () => {
    const { page } = await offline.conversation();
    await page.waitForSelector('.hint :text("No language model")');
    await page.click('.suggestion:has-text("read AGENTS.md")');
    await page.waitForSelector('.answer.done .tool.ok .tool-name:text("read")');
    await page.click('.answer [aria-label="Show timeline"]');
    await page.waitForSelector('.timeline-row');
    const stages = await page.locator('.timeline-stage').allTextContents();
    for (const harness of ['Accepted', 'Routed', 'Model', 'Tool'])
      assert.ok(stages.includes(harness), `${harness} in ${stages.join(', ')}`);
    await page.keyboard.press('Escape');
    await page.reload();
    await page.waitForSelector('.answer.done .tool.ok');
    assert.equal(await page.locator('.person').count(), 1);
  });

  test('tools and text of a model stay in order, live and after a reload', async () => {
    const { gateway, page } = await shared.conversation();
    gateway.models.reply(
      {
        text: ['Let me ', 'write. '],
        calls: [
          { id: 'a', name: 'write', args: { path: 'a.txt', content: 'alpha' } },
          { id: 'b', name: 'read', args: { path: 'nowhere.txt' } },
        ],
      },
      { text: ['All ', '**done**.'] },
    );
    await say(page, 'make a file');
    await page.waitForSelector('.answer.done strong');
    const shape = (): Promise<string[]> =>
      page.evaluate(
        "[...document.querySelector('.answer').children].map((part) => part.localName === 'claw-tool' ? part.querySelector('.tool-name').textContent + ' ' + part.querySelector('.tool').classList[1] : part.localName).filter((name) => name.startsWith('claw-') || name.includes(' '))",
      );
    const live = await shape();
    assert.deepEqual(live, ['claw-markdown', 'write ok', 'read error', 'claw-markdown']);
    await page.reload();
    await page.waitForSelector('.answer.done strong');
    assert.deepEqual(await shape(), live);
  });

  test('stop keeps what was said, and what waited is sent then', async () => {
    const { gateway, page } = await shared.conversation();
    gateway.models.reply({ hang: true, text: ['thinking about it'] }, { text: ['second answer'] });
    await say(page, 'long work');
    await page.waitForSelector('.answer.streaming :text("thinking about it")');
    await say(page, 'next');
    await page.waitForSelector('.outbox-row');
    await page.press('.composer textarea', 'Escape');
    await page.waitForSelector('.answer.aborted :text("thinking about it")');
    await page.waitForSelector('.answer.done :text("second answer")');
    assert.equal(await page.locator('.outbox-row').count(), 0);
  });

  test('an answer in progress goes on in a reloaded page', async () => {
    const { gateway, page } = await shared.conversation();
    gateway.models.reply({ hang: true, text: ['the first part'] });
    await say(page, 'long work');
    await page.waitForSelector('.answer.streaming :text("the first part")');
    await page.reload();
    await page.waitForSelector('.answer.streaming :text("the first part")');
    await page.click('[aria-label="Stop the answer"]');
    await page.waitForSelector('.answer.aborted');
    assert.equal(await page.locator('.person').count(), 1);
  });

  test('an image reaches the model, also without a word', async () => {
    const { gateway, page } = await shared.conversation();
    gateway.models.reply({ text: ['a dot'] });
    await page.setInputFiles('input[type=file]', { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL });
    await page.click('[aria-label="Send message"]');
    await page.waitForSelector('.answer.done :text("a dot")');
    await page.waitForSelector('.person-images img');
    await page.reload();
    await page.waitForSelector('.person-images img');
  });

  test('a file is read, shown as a file with what the agent was given, and its decision told', async () => {
    const { gateway, page } = await shared.conversation();
    gateway.models.reply({ text: ['bread is 3.20'] });
    await page.setInputFiles('input[type=file]', {
      name: 'prices.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('item;price\nbread;3.20\n'),
    });
    await page.waitForSelector('.previews .file-chip');
    await say(page, 'What is bread?');
    await page.waitForSelector('.answer.done :text("bread is 3.20")');
    assert.match(JSON.stringify(gateway.models.requests[0]), /<file name=\\+"prices\.csv/);
    await page.reload();
    await page.waitForSelector('.person-files .file-chip:has-text("prices.csv")');
    assert.equal(await page.locator('.bubble').innerText(), 'What is bread?');
    await page.click('.received summary');
    assert.match(
      await page.locator('.received-text').innerText(),
      /^What is bread\?\s+<file name="prices\.csv" mime="text\/csv">/,
    );
    await page.click('.answer [aria-label="Show timeline"]');
    await page.waitForSelector('.timeline-row:has-text("prices.csv") .step.chosen');
  });

  test('a link to this machine is blocked, and the timeline says so', async () => {
    await using gateway = await startGateway({
      config: { tools: { links: { models: [{ command: 'echo', args: ['{{LinkUrl}}'] }] } } },
    });
    gateway.models.reply({ text: ['I see a link'] });
    const page = await harness.open(address(gateway.instance.port));
    await page.waitForSelector('.composer');
    await say(page, 'look at http://127.0.0.1:9/secret');
    await page.waitForSelector('.answer.done');
    await page.click('.answer [aria-label="Show timeline"]');
    await page.waitForSelector('.timeline-row.warn:has-text("127.0.0.1:9") .step.blocked:has-text("loopback")');
    assert.equal(await page.locator('.received').count(), 0, 'nothing was added to the message');
  });

  test('a message written while the gateway restarts is answered once', async () => {
    await using gateway = await startGateway();
    gateway.models.reply({ text: ['one'] }, { text: ['two'] });
    const { port } = gateway.instance;
    const page = await harness.open(address(port));
    await page.waitForSelector('.composer');
    await say(page, 'before');
    await page.waitForSelector('.answer.done :text("one")');
    await gateway.restart({
      port,
      while: async () => {
        await page.waitForSelector('.strip.warn');
        await say(page, 'meanwhile');
        await page.waitForSelector('.person.sending');
      },
    });
    await page.waitForSelector('.answer.done :text("two")');
    assert.equal(await page.locator('.bubble:text-is("meanwhile")').count(), 1);
    assert.equal(gateway.models.requests.length, 2);
  });

  describe('while a link is read', () => {
    const links = (args: readonly string[]): object => ({
      tools: { links: { models: [{ type: 'cli', command: 'sh', args: ['-c', ...args] }] } },
    });
    const hanging = links(['sleep 300', '{{LinkUrl}}']);
    const QUESTION = 'see http://93.184.216.34/fares please';
    const PROGRESS = '.progress:text-is("Reading http://93.184.216.34/fares with sh")';

    test('a reloaded page and another window show the message and what is being read; a stop ends it at once', async () => {
      await using gateway = await startGateway({ config: hanging });
      const page = await harness.open(address(gateway.instance.port));
      await page.waitForSelector('.composer');
      await say(page, QUESTION);
      await page.waitForSelector(PROGRESS);
      const other = await harness.open(address(gateway.instance.port));
      await page.reload();
      for (const window of [page, other]) {
        await window.waitForSelector(PROGRESS);
        assert.deepEqual(await window.locator('.bubble').allInnerTexts(), [QUESTION]);
      }
      await page.click('[aria-label="Stop the answer"]');
      for (const window of [page, other]) await window.waitForSelector('.answer.aborted :text("Stopped.")');
      await becomes(
        page,
        "document.querySelectorAll('.bubble').length === 1 && document.querySelector('.progress') === null",
      );
      assert.equal(gateway.models.requests.length, 0);
    });

    test('a restart shows no failure, and the message is answered once, in its place', async () => {
      await using gateway = await startGateway({ config: hanging });
      gateway.models.reply({ text: ['two euros'] });
      const { port } = gateway.instance;
      const page = await harness.open(address(port));
      await page.waitForSelector('.composer');
      await say(page, QUESTION);
      await page.waitForSelector(PROGRESS);
      await gateway.restart({
        port,
        while: () => gateway.writeConfig(withModel(links(['echo 2 EUR', '{{LinkUrl}}']), gateway.models.url)),
      });
      await page.waitForSelector('.answer.done :text("two euros")');
      assert.equal(await page.locator('.answer-error').count(), 0);
      assert.deepEqual(await page.locator('.bubble').allInnerTexts(), [QUESTION]);
      assert.equal(gateway.models.requests.length, 1);
      assert.match(gateway.models.requests[0]!.texts.at(-1)!, /Summary:\n2 EUR/);
    });
  });

  test('a conversation of its own can be named, started afresh and deleted', async () => {
    const { page } = await shared.at('/', '.composer');
    await page.click('.top [aria-label="New conversation"]');
    await page.waitForSelector('.top-title:text("New conversation")');
    await say(page, 'hello');
    await page.waitForSelector('.answer.done');
    const act = async (name: string): Promise<void> => {
      await page.hover('.session.current');
      await page.click('.session.current .session-more');
      await page.click(`.session-menu button:text("${name}")`);
    };
    await act('Rename');
    await page.fill('dialog input', 'Scratch');
    await page.press('dialog input', 'Enter');
    await page.waitForSelector('.top-title:text("Scratch")');
    await act('Start new session');
    await page.click('dialog button:text("Start new session")');
    await page.waitForSelector('.empty');
    await act('Delete');
    await page.click('dialog button:text("Delete")');
    await page.waitForSelector('.top-title:text("Main conversation")');
    await page.waitForSelector('.session-title:text("Scratch")', { state: 'detached' });
  });

  test('the concierge greets when a conversation is begun anew, and the person sees the command', async () => {
    const { page } = await offline.conversation();
    await say(page, '/new');
    await page.waitForSelector('.answer.done :text("Hello! I am the offline concierge")');
    await page.reload();
    await page.waitForSelector('.bubble:text-is("/new")');
    assert.equal(await page.locator('.answer.done li').count(), 0, 'no list of facts');
  });

  test('a value beside a secret and a comment is saved, and both stay in the file as they are', async () => {
    const secret = 'a-key-nobody-may-see';
    await using gateway = await startGateway({
      offline: true,
      config: `// kept for Ann\n{ models: { providers: { openai: { apiKey: "${secret}" } } }, logging: { level: "info" } }\n`,
    });
    const file = join(gateway.stateDir, 'clawdbot.json');
    const page = await harness.open(address(gateway.instance.port, 'config'));
    const editor = page.locator('.editor');
    await page.click('button:text-is("File")');
    await becomes(page, "document.querySelector('.editor')?.value.includes('REDACTED')");
    const shown = await editor.inputValue();
    assert.doesNotMatch(shown, /nobody-may-see|Ann/);
    await editor.fill(shown.replace('level: "info"', 'level: "warn"'));
    await editor.press('Control+s');
    await page.waitForSelector('.strip.good:has-text("Saved")');
    const saved = await readFile(file, 'utf8');
    assert.match(saved, /kept for Ann/);
    assert.match(saved, new RegExp(secret));
    assert.match(saved, /level: "warn"/);
  });

  test('a file that cannot be read is not shown, and the page says what saving here does', async () => {
    await using gateway = await startGateway({ offline: true, config: '{ gateway: { auth: { token: "x' });
    const page = await harness.open(address(gateway.instance.port, 'config'));
    await page.waitForSelector('.strip.warn:has-text("replaces the file")');
    await page.waitForSelector('.problems :text("is not valid JSON5")');
    assert.equal(await page.locator('.editor').getAttribute('placeholder'), '');
    assert.equal(await page.locator('.strip.bad button').count(), 0, 'this is where it is repaired');
  });

  test('the other pages read the real thing; a bad configuration names the problem, a good one is saved', async () => {
    await using gateway = await startGateway();
    const page = await harness.open(address(gateway.instance.port, 'overview'));
    await page.waitForSelector('.tile:has-text("Model") :text("model")');
    await page.waitForSelector('.row:has-text("Control UI")');
    await page.click('[title="Logs"]');
    await page.waitForSelector('.log-line b:text("gateway.ready")');
    await page.click('[title="Devices"]');
    await page.waitForSelector('.card:has-text("Paired devices") .row');
    await page.click('[title="Config"]');
    await page.click('button:text-is("File")');
    await becomes(page, "document.querySelector('.editor')?.value.includes('fake/model')");
    await page.waitForSelector('.strip :text("${NAME}")');
    const raw = (await page.inputValue('.editor')).replace('__CLAWDBOT_REDACTED__', 'k');
    await page.fill('.editor', raw.replace('{', '{ session: { dmScope: "nobody" },'));
    await page.click('button:text("Check and save")');
    await page.waitForSelector('.issues :text("session.dmScope")');
    await page.fill('.editor', raw.replace('{', '{ session: { dmScope: "per-peer" },'));
    await page.click('button:text("Check and save")');
    await page.waitForSelector('.strip.good');
  });
});
