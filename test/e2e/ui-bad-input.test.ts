/** Bad input in conversations: what is broken, endless or not what it says stays readable, bounded, and freezes nothing. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { FakeGateway } from '../../ui/dev/fake-gateway.ts';
import { becomes, harnessOfCases, signedIn, skipWithoutChromium } from './ui-harness.ts';
import { visit } from './ui-shared-page.ts';

/** Elements of a page; what is beyond the screen is not in it. */
const MAX_ELEMENTS = 8000;
/** A PNG that says it is 30 000 × 30 000, in a few bytes. */
const BOMB = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 6, 0, 0, 0]),
  randomBytes(64),
]);

interface Case {
  readonly messages: readonly object[];
  readonly files?: Readonly<Record<string, Buffer>>;
  /** A condition on the page, once it is drawn. */
  readonly shown: string;
}

const answer = (content: readonly object[]): object => ({
  role: 'assistant',
  content,
  provider: 'fake',
  model: 'model',
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 2 },
  stopReason: 'stop',
});
const said = (text: string): object => answer([{ type: 'text', text }]);
/** A tool that sent a file to this chat. */
const given = (id: string, mime: string, size: number): readonly object[] => [
  answer([{ type: 'toolCall', id: `call-${id}`, name: 'message', arguments: {} }]),
  {
    role: 'toolResult',
    toolCallId: `call-${id}`,
    toolName: 'message',
    content: [{ type: 'text', text: 'sent' }],
    isError: false,
    details: { sent: [{ text: 'here', files: [{ id, name: `${id}.bin`, mime, size }] }] },
  },
];
const has = (selector: string, words: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(words)}))`;
const refused = (words: string): string =>
  `${has('.answer-file-error', words)} && !document.querySelector('.answer-picture')`;

const CASES: Readonly<Record<string, Case>> = {
  'a picture that is none': {
    messages: given('junk', 'image/png', 64),
    files: { junk: randomBytes(64) },
    shown: refused('cannot show this picture'),
  },
  'a picture that unpacks to 3.6 GB': {
    messages: given('bomb', 'image/png', BOMB.length),
    files: { bomb: BOMB },
    shown: refused('30000 × 30000 pixels are too many'),
  },
  'a picture of 50 MB': {
    messages: given('huge', 'image/png', 50_000_000),
    shown: `${has('.answer-file', 'huge.bin')} && !document.querySelector('.answer-picture')`,
  },
  'a file that is gone between its line and its bytes': {
    messages: given('gone', 'image/png', 100),
    shown: refused('not kept any more'),
  },
  'files without a name, a size or an id': {
    messages: [
      ...given('junk', 'image/png', 1).slice(0, 1),
      {
        role: 'toolResult',
        toolCallId: 'call-junk',
        toolName: 'message',
        content: [{ type: 'text', text: 'sent' }],
        isError: false,
        details: { sent: [{ text: 'nothing comes', files: [null, 7, { id: 1 }, { id: 'a', name: 'b' }] }] },
      },
      said('after it'),
    ],
    shown: has('.answer', 'after it'),
  },
  'an embed of a document that is not there': {
    messages: [
      answer([
        { type: 'text', text: 'see' },
        {
          type: 'canvas',
          preview: {
            kind: 'canvas',
            surface: 'assistant_message',
            render: 'url',
            viewId: 'cv_none',
            url: '/nowhere',
            title: 'Missing',
          },
        },
      ]),
    ],
    shown: has('claw-canvas-frame', 'Missing'),
  },
  'an answer of 2 MB in one line': {
    messages: [said('word '.repeat(400_000))],
    shown: `document.querySelector('.answer .md')?.textContent.length > 1000`,
  },
  'a list of 100 000 items': {
    messages: [said(Array.from({ length: 100_000 }, (_, at) => `- item ${at}`).join('\n'))],
    shown: `document.querySelector('.answer .md')?.textContent.includes('item 99') && !!document.querySelector('.md-more')`,
  },
  'a list and a table of 3 000 lines each': {
    messages: [
      said(
        `${Array.from({ length: 3000 }, (_, at) => `${at + 1}. item`).join('\n')}\n\n| a |\n|---|\n${'| 1 |\n'.repeat(3000)}`,
      ),
    ],
    shown: `document.querySelectorAll('.md-block ol[start="51"] li').length === 50 && !!document.querySelector('.md-more')`,
  },
  'an answer of 3 000 lists and tables': {
    messages: [said('- one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n'.repeat(1500))],
    shown: `document.querySelector('.md-more')?.textContent.includes('2,600 more parts')`,
  },
  '5 000 tool calls': {
    messages: Array.from({ length: 5000 }, (_, at) => [
      answer([{ type: 'toolCall', id: `t${at}`, name: 'read', arguments: { path: `f${at}` } }]),
      {
        role: 'toolResult',
        toolCallId: `t${at}`,
        toolName: 'read',
        content: [{ type: 'text', text: 'x'.repeat(100) }],
        isError: false,
      },
    ]).flat(),
    shown: `document.querySelectorAll('.tool').length > 20`,
  },
  'a tool whose output is 2 MB': {
    messages: [
      answer([{ type: 'toolCall', id: 'big', name: 'bash', arguments: { command: 'yes' } }]),
      {
        role: 'toolResult',
        toolCallId: 'big',
        toolName: 'bash',
        content: [{ type: 'text', text: 'y\n'.repeat(1_000_000) }],
        isError: false,
      },
    ],
    shown: `document.querySelectorAll('.tool').length === 1`,
  },
};

describe('bad input in a conversation', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  let page: Page;
  let gateway: FakeGateway;
  before(async () => {
    ({ page, gateway } = await signedIn(harness, { window: { kept: true } }));
  });

  for (const [at, [name, { messages, files = {}, shown }]] of Object.entries(CASES).entries())
    test(name, async () => {
      const session = `agent:main:web:bad${at}`;
      gateway.state
        .session(session)
        .messages.push(
          ...messages.map(
            (message, index) => ({ timestamp: index, __openclaw: { id: `${at}-${index}` }, ...message }) as never,
          ),
        );
      for (const [id, bytes] of Object.entries(files)) gateway.state.files.set(id, bytes);
      await visit(page, `/?session=${session}`);
      await becomes(page, shown);
      const elements = await page.evaluate<number>(`document.querySelectorAll('*').length`);
      assert.ok(elements < MAX_ELEMENTS, `${elements} elements`);
      // A page that stands still takes no words.
      await page.fill('.composer textarea', `still here ${at}`);
      await becomes(page, `document.querySelector('.composer textarea').value === 'still here ${at}'`);
      await page.fill('.composer textarea', '');
    });

  test('the rest of an endless answer comes when it is asked for', async () => {
    const session = 'agent:main:web:long';
    const long = Array.from({ length: 801 }, (_, at) => `part ${at}`).join('\n\n');
    gateway.state.session(session).messages.push({ timestamp: 1, ...said(long) } as never);
    await visit(page, `/?session=${session}`);
    await becomes(page, has('.md-more', '401 more parts'));
    assert.equal(await page.locator('.md-block').count(), 400);
    await page.click('.md-more .button');
    await becomes(page, has('.md-more', 'One more part'));
    await page.click('.md-more .button');
    await becomes(page, has('.md-block', 'part 800'));
    assert.equal(await page.locator('.md-more').count(), 0);
  });

  test('a recording that is none says so when it is played, and can still be saved', async () => {
    const session = 'agent:main:web:sound';
    gateway.state.files.set('noise', randomBytes(500));
    gateway.state
      .session(session)
      .messages.push(...given('noise', 'audio/mpeg', 500).map((one, index) => ({ timestamp: index, ...one }) as never));
    await visit(page, `/?session=${session}`);
    await page.click('.answer-file .button:text("Play")');
    await becomes(page, has('.answer-file-error', 'cannot play this file'));
    assert.equal(await page.locator('audio').count(), 0);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.file-save')]);
    assert.equal(download.suggestedFilename(), 'noise.bin');
  });
});
