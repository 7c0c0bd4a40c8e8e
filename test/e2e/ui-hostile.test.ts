/** Hostile texts everywhere the page shows text of others: none runs, loads anything or changes the page. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { FakeGateway } from '../../ui/dev/fake-gateway.ts';
import { HOSTILE_TEXTS } from '../security/hostile-texts.ts';
import { becomes, openHarness, skipWithoutChromium, TOKEN, type Harness } from './ui-harness.ts';
import { visit } from './ui-shared-page.ts';

const SESSION = 'agent:main:main';
/** What only the page itself may put there; `.md` holds what became of Markdown. */
const FOREIGN = [
  '.md script, .md iframe, .md object, .md embed, .md base, .md meta, .md link, .md style, .md form, .md svg, .md math',
  '.md input:not([type=checkbox]), .md video, .md details, .md template, .md [style], .md [id], .md .dialog',
  '[onerror], [onload], [onfocus], [ontoggle], [onbegin], [srcdoc]',
  'a[href^="javascript" i], a[href^="data" i], a[href^="vbscript" i], a[href*="hit("]',
  'img[src^="http"]:not([src^="http://127.0.0.1"]), img[src^="data:image/svg" i]',
  'body > script:not([src]), iframe, object, embed, base',
].join(', ');

/** Only what is near the screen is drawn: past all of it, from the end to the start, every card opened. */
const SWEEP = `(async () => {
  const foreign = new Set();
  const look = async () => {
    for (const one of document.querySelectorAll('details')) one.open = true;
    for (const link of document.querySelectorAll('.md a')) link.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    for (const { outerHTML } of document.querySelectorAll(${JSON.stringify(FOREIGN)})) foreign.add(outerHTML.slice(0, 160));
  };
  await look();
  for (const list of document.querySelectorAll('main .scroller, main .session-table, .session-list')) {
    if (list.offsetParent === null) continue;
    list.scrollTop = list.scrollHeight;
    for (let steps = 0; steps < 2000; steps++) {
      await look();
      if (list.scrollTop === 0) break;
      list.scrollTop -= list.clientHeight;
    }
  }
  return [...foreign];
})()`;

/** Where a text of somebody else is shown, and how it gets there. */
interface Surface {
  readonly name: string;
  fill(gateway: FakeGateway, texts: readonly string[]): void;
  readonly path: string;
  /** There once all are drawn. */
  readonly shown: string;
}

const messages = (gateway: FakeGateway, made: readonly object[]): void => {
  const session = gateway.state.session(SESSION);
  session.messages.length = 0;
  session.messages.push(...(made as typeof session.messages));
};
const facts = (index: number) => ({ __openclaw: { id: `h${index}` } });
const answer = (content: readonly object[], index: number): object => ({
  role: 'assistant',
  content,
  timestamp: index,
  provider: 'fake',
  model: 'model',
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 2 },
  stopReason: 'stop',
  ...facts(index),
});
const person = (written: object, text: string, index: number): object => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: index,
  written,
  ...facts(index),
});

const SURFACES: readonly Surface[] = [
  {
    name: 'answers',
    path: `/?session=${SESSION}`,
    shown: `document.querySelectorAll('.answer .md').length > 3`,
    fill: (gateway, texts) =>
      messages(
        gateway,
        texts.flatMap((text, index) => [
          person({ text: 'go', files: [] }, 'go', 2 * index),
          answer([{ type: 'text', text }], 2 * index + 1),
        ]),
      ),
  },
  {
    name: 'people, their names and their files',
    path: `/?session=${SESSION}`,
    shown: `document.querySelectorAll('.person .writer').length > 20`,
    fill: (gateway, texts) =>
      messages(
        gateway,
        texts.map((text, index) => person({ text, by: text, files: [{ name: text, mime: text }] }, `${text} `, index)),
      ),
  },
  {
    name: 'tools: their names, arguments and output',
    path: `/?session=${SESSION}`,
    shown: `document.querySelectorAll('.tool').length > 20`,
    fill: (gateway, texts) =>
      messages(
        gateway,
        texts.flatMap((text, index) => [
          answer([{ type: 'toolCall', id: `c${index}`, name: text, arguments: { command: text } }], 2 * index),
          {
            role: 'toolResult',
            toolCallId: `c${index}`,
            toolName: text,
            content: [{ type: 'text', text }],
            isError: index % 2 === 0,
            timestamp: 2 * index + 1,
            ...facts(2 * index + 1),
          },
        ]),
      ),
  },
  {
    name: 'changes to files, shown as differences',
    path: `/?session=${SESSION}`,
    shown: `document.querySelectorAll('.diff').length > 20`,
    fill: (gateway, texts) =>
      messages(
        gateway,
        texts.flatMap((text, index) => [
          answer([{ type: 'toolCall', id: `d${index}`, name: 'edit', arguments: { path: text } }], 2 * index),
          {
            role: 'toolResult',
            toolCallId: `d${index}`,
            toolName: 'edit',
            content: [{ type: 'text', text }],
            isError: false,
            details: { path: text, diff: `@@ -1 +1 @@ ${text}\n-${text}\n+${text} `, firstChangedLine: 1 },
            timestamp: 2 * index + 1,
            ...facts(2 * index + 1),
          },
        ]),
      ),
  },
  {
    name: 'branches, pinned, in the list beside the chat',
    path: `/?session=${SESSION}`,
    shown: `document.querySelectorAll('.session .session-mark').length > 20`,
    fill: (gateway, texts) =>
      texts.forEach((text, index) =>
        Object.assign(gateway.state.session(`agent:main:web:b${index}`).row, {
          derivedTitle: text,
          pinned: index % 2 === 0 ? true : undefined,
          branchedFrom: { key: text, sessionId: text },
          sessionId: `s${index}`,
        }),
      ),
  },
  {
    name: 'titles of conversations',
    path: '/sessions',
    shown: `document.querySelectorAll('.session-line .link').length > 20`,
    fill: (gateway, texts) =>
      texts.forEach((text, index) =>
        Object.assign(gateway.state.session(`agent:main:web:h${index}`).row, {
          label: text,
          channel: text,
          model: text,
          sessionId: `s${index}`,
        }),
      ),
  },
  {
    name: 'lines of the log',
    path: '/logs',
    shown: `document.querySelectorAll('.log-line').length > 20`,
    fill: (gateway, texts) => {
      gateway.state.logs = texts.map((text) => JSON.stringify({ time: 1, level: text, event: text, detail: text }));
    },
  },
  {
    name: 'people who ask to be let in',
    path: '/channels',
    shown: `document.querySelectorAll('.pairing .row').length > 20`,
    fill: (gateway, texts) => {
      gateway.state.channels.pending = texts.map((text, index) => ({
        channel: text,
        accountId: text,
        id: `${index} ${text}`,
        code: text,
        name: text,
        handle: text,
        createdAtMs: 1,
        lastSeenAtMs: 1,
        expiresAtMs: 2,
      }));
    },
  },
];

describe('hostile texts', { skip: skipWithoutChromium }, () => {
  let harness: Harness;
  let page: Page;
  let gateway: FakeGateway;
  const elsewhere: string[] = [];
  const score = { cases: 0, executed: 0, redressed: 0 };
  before(async () => {
    harness = await openHarness();
    gateway = await harness.gateway();
    page = await harness.open(`${gateway.url}/#token=${TOKEN}`, { kept: true }, async (fresh) => {
      await fresh.addInitScript('window.hits = []; window.hit = (n) => window.hits.push(n)');
      fresh.on('request', (request) => {
        if (!request.url().startsWith(gateway.url) && !/^(data|blob):/.test(request.url()))
          elsewhere.push(request.url());
      });
    });
    await page.waitForSelector('.chat claw-composer textarea');
  });
  after(() => harness.close());

  for (const { name, path, shown, fill } of SURFACES)
    test(`in ${name}`, async () => {
      const texts = HOSTILE_TEXTS.map((text, index) => text.replaceAll('N', String(score.cases + index)));
      fill(gateway, texts);
      await visit(page, '/nowhere');
      await becomes(page, `!document.querySelector('claw-chat')`);
      // The list and the history are read anew with a new connection.
      gateway.drop();
      await visit(page, path);
      await becomes(page, shown);
      const foreign = await page.evaluate<readonly string[]>(SWEEP);
      const executed = await page.evaluate<readonly number[]>('window.hits');
      score.cases += texts.length;
      score.executed += executed.length;
      score.redressed += foreign.length;
      assert.deepEqual({ executed, foreign, elsewhere }, { executed: [], foreign: [], elsewhere: [] });
    });

  test('the score', (t) => {
    t.diagnostic(`${score.cases} hostile cases: ${score.executed} executed, ${score.redressed} redressed`);
    assert.ok(score.cases >= 150, `${score.cases} cases`);
    assert.deepEqual([score.executed, score.redressed], [0, 0]);
  });

  test('the check finds what does run and what is foreign', async () => {
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<div class="md"><a href="javascript:hit(1)">x</a><div style="position: fixed"></div></div>')`);
    assert.equal(await page.evaluate(`document.querySelectorAll(${JSON.stringify(FOREIGN)}).length`), 2);
  });
});
