/** The chat in a real browser: answers, tools, stopping, queueing, images, keys. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { harnessOfCases, say, skipWithoutChromium, TOKEN } from './ui-harness.ts';
import { sharedPage } from './ui-shared-page.ts';
import { until } from '../../src/testing/until.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Ways into a page that other chats were open to; each calls `pwned()` or asks evil.example when it works. */
const PAYLOADS = [
  '<script>pwned()</script>',
  '<img src=x onerror=pwned()>',
  '<svg/onload=pwned()>',
  '<svg><animate onbegin=pwned() attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><img src=x onerror=pwned()>',
  '<iframe srcdoc="<script>parent.pwned()</script>">',
  '<details open ontoggle=pwned()>',
  '<input autofocus onfocus=pwned()>',
  '<style>@import "https://evil.example/c.css"</style>',
  '<link rel=stylesheet href=https://evil.example/c.css>',
  '<base href=https://evil.example/>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<form action=https://evil.example/><button>x',
  '<noscript><p title="</noscript><img src=x onerror=pwned()>">',
  '<a href="javascript:pwned()">x</a>',
  '[x](javascript:pwned())',
  '[x](java&#115;cript:pwned())',
  '[x](<java\tscript:pwned()>)',
  '[x](data:text/html,<script>pwned()</script>)',
  '[x](https://a" onmouseover="pwned())',
  '![x](https://evil.example/p.png)',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9cHduZWQoKT4=)',
  '![" onerror="pwned()](data:image/png;base64,AAAA)',
  '<https://evil.example/"onmouseover="pwned()>',
  '`` `<img src=x onerror=pwned()>` ``',
  '```"><img src=x onerror=pwned()>\ncode\n```',
  '| <img src=x onerror=pwned()> |\n|---|\n| <svg onload=pwned()> |',
  '- [ ] <img src=x onerror=pwned()>',
  '[r]: javascript:pwned()\n[x][r]',
  '\u202e<script>pwned()</script>',
  '>'.repeat(90),
];

describe('web chat', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedPage(harness, { permissions: ['clipboard-read', 'clipboard-write'] });

  test('an answer streams in with thinking, tools and text, and stays the same when its history arrives', async () => {
    const { page } = await shared.conversation();
    // Marked by the page itself as soon as it is drawn: on a busy machine the answer may be done by then.
    await page.evaluate(`new MutationObserver((_, observer) => {
      const tool = document.querySelector('.answer .tool');
      if (!tool) return;
      tool.dataset.mine = 'yes';
      observer.disconnect();
    }).observe(document.body, { childList: true, subtree: true })`);
    await say(page, 'packing for a trip');
    await page.waitForSelector('.answer.done .message-tools time');
    assert.deepEqual(await page.locator('.tool-name').allTextContents(), ['read', 'read', 'write']);
    assert.equal(await page.locator('.tool.error .tool-failed').textContent(), 'failed');
    assert.equal(await page.locator('.tool[data-mine]').count(), 1, 'what was on screen was not rebuilt');
    await page.click('.tool.error summary');
    assert.match(await page.locator('.tool.error .tool-body').innerText(), /ENOENT/);
    await page.click('.thinking summary');
    assert.match(await page.locator('.thinking-body').innerText(), /Three days/);
    assert.equal(await page.locator('td[align="right"]').first().textContent(), '3');
    await page.waitForSelector('code .hljs-comment');
    assert.match((await page.locator('.answer .meta').first().textContent()) ?? '', /anthropic\/claude/);
  });

  test('no known way to smuggle code or requests into the page works, from an answer, a question or an address', async () => {
    const { page, gateway } = await shared.conversation();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.evaluate('window.pwned = () => { window.wasPwned = true; }');
    for (const [index, payloads] of [PAYLOADS, PAYLOADS.slice(16), PAYLOADS.slice(24)].entries()) {
      await say(page, payloads.join('\n\n'));
      await page.waitForSelector(`.answer.done >> nth=${index}`);
    }
    const alien = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('.chat *:not(form.composer)')].filter((one) => /^(script|iframe|object|embed|style|link|meta|base|form|animate)$/i.test(one.localName)
      || [...one.attributes].some(({ name, value }) => /^on/i.test(name) || name === 'srcdoc' || (/^(href|src|action)$/.test(name) && /^\\s*(javascript|data:text)/i.test(value)))).map((one) => one.outerHTML.slice(0, 200))`);
    assert.deepEqual(alien, []);
    assert.equal(await page.evaluate('window.wasPwned'), undefined);
    const other = await harness.open(
      `${gateway.url}/?session=${encodeURIComponent('"><img src=x onerror=alert(1)>')}#token=${TOKEN}`,
    );
    await other.waitForSelector('.chat claw-composer textarea');
    assert.equal(await other.locator('img[src="x"]').count(), 0);
    assert.deepEqual(
      asked.filter((url) => url.includes('evil.example')),
      [],
    );
  });

  test('HTML in an answer is inert, remote pictures are links, code can be copied', async () => {
    const { page } = await shared.conversation();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await say(page, 'show markdown');
    await page.waitForSelector('.answer.done code .hljs-keyword');
    assert.equal(await page.locator('.md script, .md b, .md img, .md a[href^="javascript"]').count(), 0);
    assert.equal(await page.locator('.md a').first().getAttribute('rel'), 'noopener noreferrer');
    assert.ok(asked.every((url) => !url.includes('tracker.example')));
    await page.click('[data-copy-code]');
    await page.waitForSelector('[data-copy-code]:text("Copied")');
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^const answer: number = 42;/);
    await page.hover('.answer');
    await page.click('[aria-label="Copy answer as Markdown"]');
    await page.waitForSelector('.toast:text("Copied as Markdown")');
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^# A heading/);
  });

  test('Escape and the stop button stop; what was said stays', async () => {
    const { page, gateway } = await shared.conversation();
    for (const stop of [
      () => page.press('.composer textarea', 'Escape'),
      () => page.click('[aria-label="Stop the answer"]'),
    ]) {
      await say(page, 'hold');
      await page.waitForSelector('.answer.streaming :text("First half.")');
      await stop();
      await page.waitForSelector('claw-answer:last-child .answer.aborted');
      assert.match(await page.locator('claw-answer').last().innerText(), /First half\.\s+Stopped\./);
    }
    assert.equal(gateway.requests.filter(({ method }) => method === 'chat.abort').length, 2);
  });

  test('messages written while an answer runs wait in sight, can be removed or steered, and go out one by one', async () => {
    const { page, gateway } = await shared.conversation();
    await say(page, 'hold');
    await page.waitForSelector('.answer.streaming');
    for (const text of ['second', 'third', 'fourth', 'not this one']) await say(page, text);
    await page.waitForSelector('.outbox-row:nth-child(4)');
    assert.deepEqual(await page.locator('.outbox-text > span').allTextContents(), [
      'second',
      'third',
      'fourth',
      'not this one',
    ]);
    await page.locator('.outbox-row', { hasText: 'not this one' }).getByLabel('Remove').click();
    await page.locator('.outbox-row', { hasText: 'fourth' }).getByText('Steer').click();
    await until(
      () => gateway.requests.some(({ params }) => params['queueMode'] === 'steer' && params['message'] === 'fourth'),
      'steer was sent',
    );
    gateway.state.release();
    await page.waitForSelector('.answer.done :text("You said: third")');
    await page.waitForSelector('.outbox', { state: 'detached' });
    const sent = gateway.requests.filter(({ method }) => method === 'chat.send').map(({ params }) => params['message']);
    assert.deepEqual(sent, ['hold', 'fourth', 'second', 'third']);
  });

  test('a failed answer says why and can be tried again', async () => {
    const { page, gateway } = await shared.conversation();
    await say(page, 'please fail');
    await page.waitForSelector('.answer-error :text("529")');
    await page.click('.answer-error button');
    await until(() => gateway.requests.filter(({ method }) => method === 'chat.send').length === 2, 'sent again');
    const [first, second] = gateway.requests.filter(({ method }) => method === 'chat.send').map(({ params }) => params);
    assert.equal(first!['message'], second!['message']);
    assert.notEqual(first!['idempotencyKey'], second!['idempotencyKey']);
  });

  test('a refused message comes back into the composer with the reason', async () => {
    const { page, gateway } = await shared.conversation();
    gateway.state.refuse = 'send blocked by session policy';
    await say(page, 'precious words');
    await page.waitForSelector('.composer-problem :text("send blocked by session policy")');
    assert.equal(await page.inputValue('.composer textarea'), 'precious words');
    assert.equal(await page.locator('.person').count(), 0);
  });

  test('images by paste and picker, sent without a word', async () => {
    const { page, gateway } = await shared.conversation();
    await page.setInputFiles('input[type=file]', { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL });
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob('${PIXEL.toString('base64')}'), (c) => c.charCodeAt(0))], 'pasted.png', { type: 'image/png' }));
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await page.waitForSelector('.previews li:nth-child(2)');
    await page.click('[aria-label="Send message"]');
    await page.waitForSelector('.person-images img:nth-child(2)');
    const sent = () => gateway.requests.find(({ method }) => method === 'chat.send');
    await until(() => sent() !== undefined, 'the message, which is shown before it is sent');
    const { params } = sent()!;
    assert.equal(params['message'], '');
    assert.deepEqual(
      (params['attachments'] as { fileName: string; content: string }[]).map(({ fileName, content }) => [
        fileName,
        content,
      ]),
      [
        ['dot.png', PIXEL.toString('base64')],
        ['pasted.png', PIXEL.toString('base64')],
      ],
    );
    assert.equal(await page.locator('.previews').count(), 0);
  });

  test('the timeline of a message shows its stages', async () => {
    const { page } = await shared.conversation();
    await say(page, 'hello');
    await page.waitForSelector('.answer.done .message-tools');
    await page.click('.answer [aria-label="Show timeline"]');
    await page.waitForSelector('.timeline-row');
    assert.deepEqual(await page.locator('.timeline-stage').allTextContents(), [
      'Accepted',
      'Routed',
      'Model',
      'Tool',
      'Model',
      'Queued to send',
      'Delivered',
    ]);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.timeline', { state: 'detached' });
  });

  test('keys: newline, commands, the last message, the switcher', async () => {
    const { page, gateway } = await shared.conversation();
    gateway.state.session('agent:main:telegram:dm:42').row['displayName'] = 'Ana';
    const field = page.locator('.composer textarea');
    await field.pressSequentially('one');
    await field.press('Shift+Enter');
    await field.pressSequentially('two');
    await field.press('Enter');
    await page.waitForSelector('.answer.done');
    assert.equal(gateway.requests.find(({ method }) => method === 'chat.send')!.params['message'], 'one\ntwo');
    await field.press('ArrowUp');
    assert.equal(await field.inputValue(), 'one\ntwo');
    await field.fill('/comp');
    await page.waitForSelector('.command-menu [aria-selected=true]:has-text("/compact")');
    await field.press('Enter');
    assert.equal(await field.inputValue(), '/compact ');
    await field.fill('');
    await page.waitForSelector('.session-title:text("Ana")');
    await page.keyboard.press('Control+k');
    await page.locator('.switcher input').fill('an');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.top-title:text("Ana")');
    assert.match(page.url(), /session=agent:main:telegram:dm:42$/);
    await page.goBack();
    await page.waitForSelector('.top-title:not(:text("Ana"))');
  });

  test('of many messages only those near the screen are in the page', async () => {
    const gateway = await harness.gateway();
    for (let n = 0; n < 100; n++) {
      gateway.state.append('agent:main:main', {
        role: 'user',
        content: [{ type: 'text', text: `question ${n}` }],
        __openclaw: { runId: `r${n}` },
      });
      gateway.state.append('agent:main:main', {
        role: 'assistant',
        content: [{ type: 'text', text: `answer **${n}**` }],
        stopReason: 'stop',
        __openclaw: { runId: `r${n}` },
      });
    }
    const page = await harness.open(`${gateway.url}/#token=test-token`);
    await page.waitForSelector('claw-answer:last-child :text("answer 99")');
    const drawn = 'document.querySelectorAll(".person, claw-answer").length';
    assert.ok((await page.evaluate<number>(drawn)) < 60);
    await page.evaluate('document.querySelector(".scroller").scrollTop = 0');
    await page.waitForSelector('.bubble:text-is("question 0")');
    assert.ok((await page.evaluate<number>(drawn)) < 60);
  });
});
