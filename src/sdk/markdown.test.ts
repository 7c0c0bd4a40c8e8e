/** Markdown rendered as a platform's markup: every inline mark, every block, and hostile text without effect. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { plainDialect, renderMarkdown, type MarkdownDialect } from './markdown.ts';

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const html: MarkdownDialect = {
  ...plainDialect,
  escape,
  bold: ['<b>', '</b>'],
  italic: ['<i>', '</i>'],
  strike: ['<s>', '</s>'],
  code: ['<code>', '</code>'],
  codeBlock: (text, language) => `<pre${language ? ` ${language}` : ''}>${escape(text)}</pre>`,
  link: (label, url) => `<a "${escape(url)}">${label}</a>`,
  autolink: escape,
  quote: (text) => `<q>${text}</q>`,
  heading: (text, level) => `<h${level}>${text}</h${level}>`,
};
const shown = (text: string, tables?: 'off' | 'bullets' | 'code'): string =>
  renderMarkdown(text, html, tables ? { tables } : {});
const plain = (text: string): string => renderMarkdown(text, plainDialect);

describe('words', () => {
  it('carry their marks, each once', () => {
    assert.equal(
      shown('**bold *both* __again__** ~~gone~~ `a<b`'),
      '<b>bold <i>both</i> again</b> <s>gone</s> <code>a&lt;b</code>',
    );
    assert.equal(shown('2 * 3 * 4 and snake_case_name'), '2 * 3 * 4 and snake_case_name');
    assert.equal(shown('\\*not bold\\* &amp; &lt;'), '*not bold* &amp; &lt;');
  });

  it('link only where a link may lead', () => {
    assert.equal(
      shown('[x](https://a.b/c_d "t") <https://a.b> [m](mailto:a@b.c) [t](tel:1)'),
      '<a "https://a.b/c_d">x</a> https://a.b <a "mailto:a@b.c">m</a> <a "tel:1">t</a>',
    );
    for (const bad of ['[x](javascript:alert)', '[x](file:///etc/passwd)', '[x](data:text/html,x)', '[x](/relative)'])
      assert.equal(shown(bad), bad);
    assert.equal(shown('see https://a.b/c_d_e.'), 'see https://a.b/c_d_e.');
    assert.equal(shown('[a](https://x.y/"><b>)'), '<a "https://x.y/%22%3E%3Cb%3E">a</a>');
  });

  it('a picture is a link to it', () =>
    assert.equal(
      shown('![a *cat*](https://i.png) ![](https://j.png)'),
      '<a "https://i.png">a *cat*</a> <a "https://j.png">https://j.png</a>',
    ));

  it('break where they are broken', () => assert.equal(shown('one\ntwo  \nthree\\\nfour'), 'one\ntwo\nthree\nfour'));
});

describe('blocks', () => {
  it('keep the blank lines between them', () =>
    assert.equal(shown('# Title\ntext\n\n\nmore\n- a\n- b\n\nend'), '<h1>Title</h1>\ntext\n\nmore\n• a\n• b\n\nend'));

  it('lists nest, count and carry boxes', () => {
    assert.equal(shown('- a\n  - b\n    more\n  - c\n\n- d'), '• a\n  • b\n    more\n  • c\n\n• d');
    assert.equal(shown('3. x\n4. y\n   - z'), '3. x\n4. y\n   • z');
    assert.equal(shown('- [ ] open *it*\n- [x] done'), '☐ open <i>it</i>\n☑ done');
    assert.equal(shown('- a\n\n  ```js\n  let x;\n    y\n  ```\n  after'), '• a\n\n<pre js>let x;\n  y</pre>\n  after');
  });

  it('quotations and rules', () => {
    assert.equal(shown('> one\n> **two**\n>\n> - a\n\n***'), '<q>one\n<b>two</b>\n\n• a</q>\n\n———');
    assert.equal(shown('text\n---\nmore'), 'text\n———\nmore', 'no underlined heading');
    assert.equal(plain('> a\n> > b'), '> a\n> > b');
  });

  it('code is as it was, with its language, also when it is not closed', () => {
    assert.equal(shown('```ts x=1\na <b>\n\n  c\n```'), '<pre ts>a &lt;b&gt;\n\n  c</pre>');
    assert.equal(shown('~~~\n`a`\n```\n~~~'), '<pre>`a`\n```</pre>');
    assert.equal(shown('```\nopen'), '<pre>open</pre>');
  });
});

describe('a table', () => {
  const table = '| Name | Size |\n|---|--:|\n| **a** | 1 < 2 |\n| 漢字 |  |';

  it('is aligned in monospace', () =>
    assert.equal(shown(table, 'code'), '<pre>Name | Size\n-----|------\na    | 1 &lt; 2\n漢字 |</pre>'));
  it('is a list', () => {
    assert.equal(shown(table, 'bullets'), '• <b>a</b>: 1 &lt; 2\n• <b>漢字</b>: ');
    assert.equal(shown('| A | B | C |\n|-|-|-|\n| x | 1 | *2* |', 'bullets'), '• <b>x</b>\n  B: 1\n  C: <i>2</i>');
  });
  it('is as it was written', () =>
    assert.equal(shown(table, 'off'), '| Name | Size |\n|---|--:|\n| **a** | 1 &lt; 2 |\n| 漢字 |  |'));
});

describe('hostile text', () => {
  it('is words', () => {
    const corpus = [
      '</b>',
      '<@everyone>',
      '<script>alert(1)</script>',
      '<!channel>',
      '&lt;b&gt;',
      '</pre><b>',
      '<a href="x">',
    ];
    for (const text of corpus) {
      for (const around of [
        text,
        `**${text}**`,
        `- ${text}`,
        `> ${text}`,
        `\`${text}\``,
        `\`\`\`\n${text}\n\`\`\``,
        `| ${text} |\n|--|\n| ${text} |`,
        `[${text}](https://a.b)`,
        `# ${text}`,
      ]) {
        const left = shown(around).replace(/<\/?(?:b|i|s|q|h\d|code|pre|a)(?: "[^"]*")?>/g, '');
        assert.doesNotMatch(left, /[<>]/, around);
      }
    }
  });

  it('too deep or too long to read is shown as it was written', () => {
    const deep = `${'> '.repeat(100)}x`;
    assert.equal(plain(deep), deep);
    const long = '**a** '.repeat(20_000);
    assert.equal(plain(long), long);
  });

  const pieces = [
    '**',
    '*',
    '_',
    '`x`',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
    '    ',
    '[',
    '](',
    ')',
    'word',
    '<b>',
    '\\',
    '&',
    '#',
    '~~x~~',
    '![',
    'https://a.b',
    '\u0000',
    '\ud83d',
    '[ ] ',
  ];
  const textOf = (...from: string[]) =>
    fc.array(fc.constantFrom(...from), { maxLength: 60 }).map((all) => all.join(''));

  it('keeps every word', () =>
    fc.assert(
      fc.property(textOf(...pieces), (text) => {
        assert.equal(plain(text).split('word').length, text.split('word').length, plain(text));
      }),
      { numRuns: 1000 },
    ));

  it('never throws', () =>
    fc.assert(
      fc.property(textOf(...pieces, '```', '~~~', '|', '|--|', '[a]: '), (text) => {
        for (const tables of ['off', 'bullets', 'code'] as const) shown(text, tables);
      }),
      { numRuns: 1000 },
    ));
});

it('plain words keep the address of a link', () =>
  assert.equal(plain('**see** [this](https://a.b), https://c.d and `x`'), 'see this (https://a.b), https://c.d and x'));
