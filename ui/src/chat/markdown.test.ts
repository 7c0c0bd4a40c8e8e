/** Markdown: model output never becomes active HTML, and streaming gives the same result as one pass. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARKDOWN } from '../../dev/fake-script.ts';
import { renderMarkdown, type RenderedMarkdown } from './markdown.ts';

const html = (text: string): string =>
  renderMarkdown(text)
    .blocks.map((block) => block.html)
    .join('');

test('raw HTML is shown, not obeyed', () => {
  const out = html('Hi <script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<div onclick="x()">block</div>');
  assert.doesNotMatch(out, /<(script|img|div)/);
  assert.match(out, /&lt;script&gt;/);
});

test('only web, mail and phone addresses become links, without a way back to this page', () => {
  assert.match(
    html('[a](https://example.org/)'),
    /<a href="https:\/\/example\.org\/" target="_blank" rel="noopener noreferrer">a<\/a>/,
  );
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'vbscript:x',
    'data:text/html,<b>',
    'file:///etc/passwd',
    '//evil.example',
  ])
    assert.doesNotMatch(html(`[a](<${address}>)`), /<a /, address);
});

test('a remote picture is a link, so that reading an answer tells nobody', () => {
  const out = html('![map](https://tracker.example/p.png?q=secret)');
  assert.doesNotMatch(out, /<img/);
  assert.match(out, /href="https:\/\/tracker\.example/);
  assert.match(html('![dot](data:image/png;base64,iVBORw0KGgo=)'), /<img src="data:image\/png/);
  assert.doesNotMatch(html('![x](data:image/svg+xml;base64,PHN2Zz4=)'), /<img/);
});

test('code keeps its characters, its language cannot break out', () => {
  const out = html('```ts" onclick="x\nconst a = 1 < 2 && "b";\n```');
  assert.match(out, /class="language-ts"/);
  assert.match(out, /1 &lt; 2 &amp;&amp; &quot;b&quot;/);
  assert.doesNotMatch(out, /onclick=/);
});

test('streaming piece by piece ends with the same blocks as one pass', () => {
  const source = MARKDOWN.replace(/\[ref\]\[1\]/, '');
  for (const step of [1, 7, 40]) {
    let rendered: RenderedMarkdown | undefined;
    for (let end = 1; end < source.length + step; end += step)
      rendered = renderMarkdown(source.slice(0, end), rendered);
    assert.equal(rendered?.blocks.map((block) => block.html).join(''), html(source), `in steps of ${step}`);
  }
});

test('while streaming, finished blocks are the same objects', () => {
  const first = renderMarkdown('# One\n\nTwo\n\nThr');
  const second = renderMarkdown('# One\n\nTwo\n\nThree', first);
  assert.equal(second.blocks[0], first.blocks[0]);
  assert.equal(second.blocks[1], first.blocks[1]);
  assert.notEqual(second.blocks[2], first.blocks[2]);
});

test('the blocks hold the whole source', () => {
  const text = 'a\r\n\r\n- b\r\n\r\n  c\r\n\r\n| x |\r\n|--|\r\n| 1 |\r\n';
  assert.equal(
    renderMarkdown(text)
      .blocks.map((block) => block.raw)
      .join(''),
    text.replaceAll('\r\n', '\n'),
  );
});

test('what would take the parser its stack or seconds is shown as written', () => {
  const bombs = [
    '>'.repeat(5000),
    '- '.repeat(3000),
    '1. '.repeat(2000),
    ' **x'.repeat(6000),
    Array.from({ length: 800 }, (_, depth) => `${' '.repeat(depth * 2)}- <b>`).join('\n'),
    'x'.repeat(300_000),
  ];
  for (const bomb of bombs) {
    const { blocks } = renderMarkdown(`${bomb}<script>`);
    assert.equal(blocks.length, 1);
    assert.match(blocks[0]!.html, /^<pre tabindex="0">[^<]*&lt;script&gt;<\/pre>$/);
  }
  assert.match(renderMarkdown('fine', renderMarkdown('>'.repeat(5000))).blocks[0]!.html, /<p>fine/);
});
