import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitBareText } from './bare-text.ts';
import { detectLinks } from './detect.ts';
import { MAX_URL } from './find-urls.ts';
import { windowsOf } from './windows.ts';

const urls = (text: string, limit = 100) => detectLinks(text, { limit }).map(({ url }) => url);
const reasons = (text: string) =>
  Object.fromEntries(detectLinks(text, { limit: 100, explain: true }).map(({ url, reason }) => [url, reason]));
const MIB = 1 << 20;
const filled = (unit: string) => unit.repeat(Math.ceil(MIB / unit.length)).slice(0, MIB);

/** What breaks naive scanners and parsers. */
const HOSTILE: Readonly<Record<string, string>> = {
  'open brackets': filled('['),
  backticks: filled('`'),
  'open tags': filled('<a '),
  'open parens': filled('('),
  schemes: filled('https://'),
  'nested hosts': filled('http://a('),
  'nested paths': filled('http://a.example/('),
  '10 000 addresses': Array.from({ length: 10_000 }, (_, index) => `https://e${index}.example/p`).join(' '),
  'an address of 100 kB': `https://a.example/${'x'.repeat(100_000)}`,
  'an address of 1 MB': `https://a.example/${filled('x')}`,
  'brackets between addresses': filled(`${'['.repeat(4000)} https://a.example `),
  'images between addresses': filled(`${'!['.repeat(1500)} https://a.example `),
  lists: filled(`${'* a\n'.repeat(900)} https://a.example\n`),
  fences: `${filled('```\n')}https://a.example`,
  'line breaks': `${filled('\n')}https://a.example`,
  'mixed brackets': filled(`https://a.example/${'(a[b{'.repeat(1600)} `),
  quotes: filled(`https://a.example/${'"a\''.repeat(2500)} `),
  labels: filled(`https://${'a.'.repeat(4000)} `),
  users: filled('https://a@'),
  'zero width': filled('https://a.example\u200b'),
  definitions: filled('[a]: https://x.example\n'),
  html: filled('<a href="https://a.example"> '),
  entities: filled('https://a.example/&a;&b; '),
  closers: filled(`https://a.example/${')'.repeat(8000)} `),
};

test('T5 the documented sentence: only the bare link', () => {
  assert.deepEqual(urls('Please check [our docs](https://docs.example.com) and https://status.example.com'), [
    'https://status.example.com',
  ]);
});

test('T3 T6 T7 T8 T9 T10 T11 T14 what is not used is told with the reason', () => {
  assert.deepEqual(
    reasons(
      '[t](https://a.example "x") <https://b.example> `https://c.example` ![i](https://d.example) <a ' +
        'href="https://e.example">https://f.example</a> https://u:p@g.example https://h.example ' +
        'https://H.example/\n\n[1]: https://i.example',
    ),
    {
      'https://a.example': 'inside a Markdown link',
      'https://b.example': 'inside angle brackets',
      'https://c.example': 'inside code',
      'https://d.example': 'inside an image',
      'https://e.example': 'inside an HTML tag',
      'https://f.example': 'inside an HTML element that is not prose',
      'https://…@g.example': 'it contains a user name',
      'https://h.example': undefined,
      'https://H.example/': 'the same as an earlier one',
      'https://i.example': 'inside a link definition',
    },
  );
});

test('no credential of an address is told', () => {
  assert.doesNotMatch(JSON.stringify(reasons('https://me:hidden@a.example/x https://hidden@b.example')), /hidden/);
});

test('an address that is too long is not used, and the next one is', () => {
  const long = `https://a.example/${'x'.repeat(MAX_URL)}`;
  assert.deepEqual(urls(`${long} https://b.example`), ['https://b.example']);
  assert.deepEqual(
    urls(`https://a.example/${'x'.repeat(MAX_URL - 18)}`).map((url) => url.length),
    [MAX_URL],
  );
  const [first] = detectLinks(`https://a.example/${'x'.repeat(100_000)}`, { limit: 1, explain: true });
  assert.match(first!.reason!, /^longer than 8192/);
  assert.ok(first!.url.length < 300);
});

test('the limit ends the search', () => {
  assert.equal(urls(HOSTILE['10 000 addresses']!, 7).length, 7);
});

test('long texts: addresses are found anywhere, fenced code stays code', () => {
  const prose = 'Some words of prose, with `code` and [brackets].\n\n'.repeat(2000);
  assert.deepEqual(urls(`${prose}https://a.example ${prose} [x](https://b.example) https://c.example/x.\n${prose}`), [
    'https://a.example',
    'https://c.example/x',
  ]);
  assert.deepEqual(
    urls(`${prose}\n\`\`\`\n${'curl https://a.example\n'.repeat(500)}\`\`\`\n${prose} https://b.example`),
    ['https://b.example'],
  );
  assert.deepEqual(urls(`${prose}\n~~~~\n\`\`\`\nhttps://a.example\n~~~\nhttps://b.example\n~~~~\nhttps://c.example`), [
    'https://c.example',
  ]);
  assert.deepEqual(urls(`${'word '.repeat(3000)}https://a.example ${'word '.repeat(3000)}https://b.example`), [
    'https://a.example',
    'https://b.example',
  ]);
});

test('a megabyte of hostile text is never parsed as a whole: windows are disjoint, in order, and short', () => {
  for (const [name, text] of Object.entries(HOSTILE)) {
    let total = 0;
    for (const { text: window } of windowsOf(text)) {
      total += window.length;
      assert.ok(text.includes(window.slice(0, 50)));
      assert.ok(
        !/\s/.test(window.slice(5000)) || window.length <= 1024 + 3072 + MAX_URL,
        `${name}: a window of ${window.length}`,
      );
    }
    assert.ok(total <= text.length, name);
    assert.ok(Array.isArray(detectLinks(text, { limit: 100 })), name);
  }
});

test('it never throws, finds only what is there, and each address once', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.constantFrom(
      'https://',
      'http://a',
      'http://a.example/(',
      '[',
      ']',
      '](',
      ')',
      '`',
      '```\n',
      '~~~',
      '<',
      '>',
      '<a href="',
      '<!--',
      '\n',
      '\n\n',
      '    ',
      '> ',
      '- ',
      '[a]: ',
      '!',
      '"',
      '。',
      '\u200b',
      '@',
      ':80',
      '/x',
      '&lt;',
      '[::1]',
      '\\',
      '|',
      '_',
      '..',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.nat(2), (pieces, times) => {
      const text = pieces.join('').repeat(times * 10 + 1);
      const found = detectLinks(text, { limit: 50 });
      for (const { url, href } of found) {
        assert.ok(text.includes(url) || text.includes('\0') || text.includes('\r'), url);
        const parsed = new URL(url);
        assert.ok(
          /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.href === href && url.length <= MAX_URL,
        );
      }
      assert.equal(new Set(found.map(({ href }) => href)).size, found.length);
    }),
    { numRuns: 120 },
  );
});

test('plain text comes out of the Markdown parser as it went in', () => {
  for (const text of [
    'https://a.example/*x*_y_?a=1&amp;b=2\\_z',
    'a & b &lt; **c** ~~d~~ \\[e\\]',
    'line\nline  \nline',
  ])
    assert.deepEqual(
      splitBareText(text)
        .map((piece) => piece.text)
        .join(''),
      text,
    );
});
