/** The management pages, and actions on conversations, with a real gateway. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { becomes, harnessOfCases, say, skipWithoutChromium } from './ui-harness.ts';
import { sharedGateway, visit } from './ui-shared-page.ts';

describe('managing the gateway in the page', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(harness);

  test('sessions: filtered, a setting changed, deleted with undo, then for good', async () => {
    const { page, gateway } = await shared.at('/sessions', 'claw-sessions-page .session-table');
    await using chat = await gateway.connect();
    for (const name of ['alpha', 'beta', 'gamma'])
      await chat.say(`plan ${name}`, { session: `agent:main:web:${name}` });
    const line = (name: string): string => `.session-line:has(.link:text-is("plan ${name}"))`;
    await page.waitForSelector(line('gamma'));
    await page.fill('[aria-label="Search sessions"]', 'plan');
    await page.selectOption(`${line('beta')} select`, 'high');
    await until(
      async () =>
        (await chat.call('sessions.list', {})).sessions.some(
          (row: { key: string; thinkingLevel?: string }) => row.key.endsWith(':beta') && row.thinkingLevel === 'high',
        ),
      'the level in the store',
    );
    await page.check('[aria-label="Select plan alpha"]');
    await page.check('[aria-label="Select plan beta"]');
    await page.click('.sessions-page button:text("Delete")');
    await becomes(page, `!document.querySelector('[aria-label="Select plan alpha"]')`);
    await page.click('button:text("Undo")');
    await page.waitForSelector(line('alpha'));
    await page.click('[aria-label="Delete plan alpha"]');
    await page.waitForSelector('.strip:has-text("1 session deleted.")');
    await page.click('[title="Overview"]');
    await until(
      async () =>
        !(await chat.call('sessions.list', {})).sessions.some(({ key }: { key: string }) => key.endsWith(':alpha')),
      'alpha to be deleted when the page is left',
    );
  });

  test('sessions: archived together, with undo, found under their filter, and brought back', async () => {
    const { page, gateway } = await shared.at('/sessions', 'claw-sessions-page .session-table');
    await using chat = await gateway.connect();
    const keys = ['one', 'two'].map((name) => `agent:main:web:old-${name}`);
    for (const key of keys) await chat.say(`old ${key.split('-')[1]}`, { session: key });
    const archived = async (): Promise<number> =>
      (await chat.call('sessions.list', { archived: true })).sessions.filter((row: { key: string }) =>
        keys.includes(row.key),
      ).length;
    for (const undone of [true, false]) {
      for (const name of ['one', 'two']) await page.check(`[aria-label="Select old ${name}"]`);
      await page.click('.sessions-page button:text-is("Archive")');
      await becomes(page, `!document.querySelector('[aria-label="Select old one"]')`);
      assert.equal(await archived(), 2);
      if (undone) await page.locator('.toast .link').last().click();
      if (undone) await page.waitForSelector('[aria-label="Select old one"]');
    }
    await page.check('label:has-text("Archived") input');
    await page.waitForSelector('.session-line .link:text-is("old two")');
    await page.check('[aria-label="Select old two"]');
    await page.click('.sessions-page button:text-is("Unarchive")');
    await becomes(page, `!document.querySelector('[aria-label="Select old two"]')`);
    assert.equal(await archived(), 1);
  });

  test('a conversation is pinned, and branched from an answer and from a question that is edited', async () => {
    const { page, gateway, session } = await shared.conversation();
    for (const text of ['first question', 'second question']) {
      await say(page, text);
      await page.waitForSelector(`.messages > .person:has-text("${text}") + claw-answer .answer.done`);
      await page.waitForSelector(`.messages > .person:has-text("${text}") [aria-label="Edit in a branch"]`);
    }
    const current = `new URL(location.href).searchParams.get('session')`;
    await page.click('.person:has-text("first question") + claw-answer [aria-label="Branch from here"]', {
      force: true,
    });
    await becomes(page, `${current} !== ${JSON.stringify(session)}`);
    await becomes(page, `document.querySelectorAll('.messages > .person').length === 1`);
    await page.waitForSelector('.session.current .session-mark[title="Branch"]');
    const heights = `new Set([...document.querySelectorAll('.session')].map((row) => Math.round(row.getBoundingClientRect().height))).size`;
    assert.equal(await page.evaluate<number>(heights), 1, 'rows are of one height, marked or not');

    await page.click('.session.current .session-more', { force: true });
    await page.click('.session-menu :text("Open parent")');
    await becomes(page, `${current} === ${JSON.stringify(session)}`);
    await page.click('.person:has-text("second question") [aria-label="Edit in a branch"]', { force: true });
    await becomes(page, `document.querySelector('.composer textarea').value === 'second question'`);
    await becomes(page, `document.querySelectorAll('.messages > .person').length === 1`);

    await page.click('.session.current .session-more', { force: true });
    await page.click('.session-menu :text("Pin")');
    await page.waitForSelector('.session:nth-of-type(2) .session-mark[title="Pinned"]');
    await using chat = await gateway.connect();
    const { sessions } = await chat.call('sessions.list', { pinned: true });
    assert.equal(sessions[0].branchedFrom.key, session);
  });

  test('the overview leads with what needs a person and what is happening', async () => {
    const { page, gateway } = await shared.at('/overview', '.now-none');
    const rest = Promise.withResolvers<void>();
    gateway.models.reply({ text: ['a', 'b'], pause: rest.promise });
    await using chat = await gateway.connect();
    const { ended } = await chat.send('take your time', { session: 'agent:main:web:slow', runId: 'slow' });
    await page.waitForSelector('.now-line:has-text("Answering in") button:text("Open")');
    rest.resolve();
    await ended;
    await page.waitForSelector(':text("No agent is working.")');
    const first = await page.textContent('claw-overview h2');
    assert.equal(first, 'Needs you');
  });

  test('the overview tells what went wrong since the last visit, and of each where to see more', async () => {
    const { page, gateway } = await shared.at('/overview', 'claw-wrong h2');
    await using chat = await gateway.connect();
    gateway.models.reply({ error: 'auth' });
    const { ended } = await chat.send('fail for me', { session: 'agent:main:web:wrong' });
    await ended;
    await page.waitForSelector('claw-wrong .now-line.bad:has-text("fail for me") button:text("Timeline")');
    // Looked at, it is no news any more; what comes afterwards is.
    await visit(page, '/debug');
    await page.waitForSelector('claw-debug form');
    await visit(page, '/overview');
    await page.waitForSelector('claw-wrong .now-none:has-text("Nothing since")');
    gateway.models.reply({ error: 'auth' });
    await (await chat.send('fail again', { session: 'agent:main:web:wrong' })).ended;
    await page.waitForSelector('claw-wrong .now-line:has-text("fail again")');
    assert.equal(await page.locator('claw-wrong .now-line:has-text("fail for me")').count(), 0);
    await page.click('claw-wrong .now-line:has-text("fail again") button:text("Timeline")');
    await page.waitForSelector('dialog[open]');
  });

  test('models: a test answer, a fallback added and removed; the file keeps the rest', async () => {
    const { page, gateway } = await shared.at('/models', 'claw-models .model-row');
    gateway.models.reply({ text: ['Hello.'] });
    await page.click('.model-row:has-text("fake/model") button:has-text("Test")');
    await page.waitForSelector('.model-works:has-text("Answered in")');
    await page.click('.model-row:has-text("offline/concierge") button:has-text("Add as fallback")');
    await page.waitForSelector('.model-order li:has-text("offline/concierge") small:text("if the ones above fail")');
    await using chat = await gateway.connect();
    const { config } = await chat.call('config.get');
    assert.deepEqual(config.agents.defaults.model, { primary: 'fake/model', fallbacks: ['offline/concierge'] });
    await page.click('.model-order li:has-text("offline/concierge") button:has-text("Remove")');
    await becomes(page, `document.querySelectorAll('.model-order li').length === 1`);
  });

  test('config: a setting is found, its change shown before it is saved, and taken back', async () => {
    const { page, gateway } = await shared.at('/config', 'claw-config-form');
    await page.fill('[aria-label="Search settings"]', 'session.dmScope');
    await page.selectOption('.setting:has-text("session.dmScope") select', 'per-peer');
    await page.waitForSelector('.difference li:has-text("session.dmScope") ins:text-is("per-peer")');
    await page.click('button:text("Save changes")');
    await page.waitForSelector('.strip.good');
    await using chat = await gateway.connect();
    assert.equal((await chat.call('config.get')).config.session.dmScope, 'per-peer');
    await page.click('.setting:has-text("session.dmScope") button:has-text("Reset to default")');
    await page.click('button:text("Save changes")');
    await becomes(page, `!document.querySelector('.difference')`);
    assert.equal((await chat.call('config.get')).parsed.session?.dmScope, undefined);
    await page.fill('[aria-label="Search settings"]', 'gateway.port');
    await page.fill('.setting:has(code:text-is("gateway.port")) input', 'many');
    await page.press('.setting:has(code:text-is("gateway.port")) input', 'Enter');
    await page.waitForSelector('.strip.bad:has-text("gateway.port must be a number")');
  });

  test('config: an earlier version is compared, restored after a question, and the restore undone', async () => {
    const { page, gateway } = await shared.at('/config', 'claw-config-form');
    await using chat = await gateway.connect();
    const change = async (logging: object): Promise<void> => {
      const { hash } = await chat.call('config.get');
      await chat.call('config.patch', { raw: JSON.stringify({ logging }), baseHash: hash });
    };
    await change({ level: 'debug' });
    await change({ level: 'error' });
    await page.click('.views button:text("History")');
    await page.waitForSelector('.history-row');
    await page.click('.history-row >> nth=0 >> button:text("Show changes")');
    await page.waitForSelector('.history-row .diff-line.removed:has-text("error")');
    await page.waitForSelector('.history-row .diff-line.added:has-text("debug")');
    await page.click('.history-row >> nth=0 >> button:text("Restore…")');
    await page.waitForSelector('dialog .diff-line.added:has-text("debug")');
    await page.click('dialog button:text-is("Cancel")');
    assert.equal((await chat.call('config.get')).parsed.logging.level, 'error');
    await page.click('.history-row >> nth=0 >> button:text("Restore…")');
    await page.click('dialog button:text-is("Restore")');
    await page.waitForSelector('.strip.good:has-text("Restored")');
    assert.equal((await chat.call('config.get')).parsed.logging.level, 'debug');
    // Somebody else saves in between: nothing is written over unseen.
    await change({ level: 'warn' });
    await page.click('.history-row >> nth=0 >> button:text("Restore…")');
    await page.click('dialog button:text-is("Restore")');
    await page.waitForSelector('.strip.bad:has-text("Not restored")');
    assert.equal((await chat.call('config.get')).parsed.logging.level, 'warn');
    await page.click('.views button:text("File")');
    await becomes(page, `document.querySelector('.editor')?.value.includes('warn')`);
    await page.fill('.editor', (await page.inputValue('.editor')).replace('"warn"', '"info"'));
    await page.waitForSelector('.unsaved .diff-line.added:has-text("info")');
    await change({ level: null as never });
  });

  test('debug: a method is called, one that changes something after a question; errors are shown', async () => {
    const { page } = await shared.at('/debug', 'claw-debug form');
    await page.fill('[aria-label="Method"]', 'agents.list');
    await page.click('button:text-is("Call")');
    await page.waitForSelector('.call-answer:has-text("defaultId")');
    await page.fill('[aria-label="Method"]', 'sessions.reset');
    await page.fill('[aria-label="Parameters, JSON"]', '{"key": 5}');
    await page.click('button:text-is("Call")');
    await page.click('dialog button:text-is("Call")');
    await page.waitForSelector('.call-failed');
    await page.waitForSelector('.call-answer:has-text("INVALID_REQUEST")');
  });

  test('a message is edited and sent again, an answer asked for again, the conversation exported', async () => {
    const { page, session } = await shared.conversation();
    await say(page, 'first words');
    await page.waitForSelector('.answer.done');
    await page.click('.person [aria-label="Edit and send again"]');
    await becomes(page, `document.querySelector('.composer textarea').value === 'first words'`);
    await say(page, 'better words');
    await page.waitForSelector('.person:has-text("better words")');
    await becomes(page, `document.querySelectorAll('.answer.done').length === 2`);
    await page.locator('.answer [aria-label="Ask again"]').last().click();
    await becomes(page, `document.querySelectorAll('.answer.done').length === 3`);
    await page.hover('.session.current');
    await page.click('.session.current .session-more');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.session-menu :text("Export Markdown")'),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    assert.match(text, /## You\n\n\*[^\n]+\*\n\nfirst words\n\n## Assistant/);
    await page.hover('.session.current');
    await page.click('.session.current .session-more');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('.session-menu :text("Export JSON")')]);
    const json = JSON.parse(await readFile(await file.path(), 'utf8')) as { sessionKey: string; messages: unknown[] };
    assert.equal(json.sessionKey, session);
    assert.equal(json.messages.length, 6);
  });

  test('what was said in another conversation is found, and shown where it was said', async () => {
    const { page, gateway } = await shared.conversation();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['The ferry to Kythira leaves at dawn.'] });
    await chat.say('When is the boat?', { session: 'agent:main:web:boat', runId: 'boat' });
    for (let n = 0; n < 3; n++) await chat.say(`more ${n}`, { session: 'agent:main:web:boat', runId: `more${n}` });
    await page.fill('.search input', 'kythira dawn');
    await page.click('.found:has-text("The ferry to Kythira")');
    await page.waitForSelector('.revealed:has-text("When is the boat?")');
    await page.fill('.search input', '');
    await becomes(page, `!document.querySelector('.found')`);
  });

  test('shortcuts are listed on ?, a picture fills the window, both close by keyboard', async () => {
    const { page } = await shared.conversation();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog.shortcuts kbd');
    await page.keyboard.press('Escape');
    await becomes(page, `!document.querySelector('dialog')`);
    await page.setInputFiles('.composer input[type=file]', {
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: Buffer.from(PIXEL, 'base64'),
    });
    await say(page, 'look');
    await page.waitForSelector('.answer.done');
    await page.focus('.person-images img');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog.lightbox img');
    await page.keyboard.press('Escape');
    await becomes(page, `!document.querySelector('dialog')`);
    await page.waitForSelector('.answer.done');
  });
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
