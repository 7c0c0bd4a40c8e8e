/** Real-world pages, hostile pages, and content that must never appear. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { present } from '../../core/present.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

const PAGES = join(import.meta.dirname, 'pages');
const convert = (html: string, url?: string): ReturnType<typeof htmlToMarkdown> =>
  htmlToMarkdown(html, present({ maxChars: 20_000, url }));
const body = (html: string): string => convert(`<p>${html}</p>`, 'https://site.example/a/b').markdown;

for (const name of readdirSync(PAGES).filter((file) => file.endsWith('.html'))) {
  test(`a page of the kind ${name.replace('.html', '')} reads as written down beside it`, () => {
    const { markdown, ...facts } = convert(readFileSync(join(PAGES, name), 'utf8'), 'https://site.example/a/b/');
    const expected = readFileSync(join(PAGES, name.replace('.html', '.md')), 'utf8');
    assert.equal(`${JSON.stringify(facts)}\n\n${markdown}\n`, expected);
  });
}

test('raised cents are a price, a raised number elsewhere is an exponent', () => {
  const price = (html: string): string => convert(`<div>${html}</div>`).markdown;
  assert.deepEqual(
    [
      '<span>€</span><span>129</span><sup>95</sup>',
      '$<span>49</span><sup>.00</sup>',
      '<span>1 299</span><sup>00</sup> €',
      'CHF 9<sup>90</sup>/Mt.',
      '10<sup>12</sup>',
      'It costs the country $10<sup>12</sup> a year, and more',
      '€10<sup>6</sup>',
    ].map(price),
    ['€129.95', '$49.00', '1 299.00 €', 'CHF 9.90/Mt.', '10¹²', 'It costs the country $10¹² a year, and more', '€10⁶'],
  );
});

test('the parts of a byline are no one word', () => {
  const parts = '<span>By Ann Lee</span><time>12 March 2026</time><span></span><span>5 min</span>';
  assert.match(body(`</p><div class="post-meta">${parts}</div><p>x`), /By Ann Lee · 12 March 2026/);
  assert.match(body(`</p><div class="byline"><b>By</b> <a href="/ann">Ann</a></div><p>x`), /By\*\* \[Ann\]/);
});

test('text nobody can see is left out, however it is hidden', () => {
  const hidden = [
    '<b hidden>X</b>',
    '<b aria-hidden="true">X</b>',
    '<b style="display:none">X</b>',
    '<b style="DISPLAY : NONE !important">X</b>',
    '<b style="visibility:hidden">X</b>',
    '<b style="font-size:0">X</b>',
    '<b style="font-size: 0px;">X</b>',
    '<b style="font-size:1px">X</b>',
    '<b style="opacity:0">X</b>',
    '<b style="opacity: 0.0">X</b>',
    '<b style="color:transparent">X</b>',
    '<b style="color:white;background:#fff">X</b>',
    '<b style="position:absolute;left:-9999px">X</b>',
    '<b style="text-indent:-10000px">X</b>',
    '<b style="height:0;overflow:hidden">X</b>',
    '<b style="clip:rect(0,0,0,0)">X</b>',
    '<b style="dis/**/play:none">X</b>',
    '<b class="sr-only">X</b>',
    '<!-- X -->',
    '<script>X</script>',
    '<style>X</style>',
    '<template>X</template>',
    '<textarea>X</textarea>',
    '<input value="X">',
    '<iframe>X</iframe>',
    '<noembed>X</noembed>',
    '<svg><text>X</text></svg>',
    '<dialog>X</dialog>',
    '<style>.x, i{} .y{display:none}</style><b class="z y">X</b>',
    '<object>X</object>',
    '<div hidden><p>X<p>X</div>',
    '<b style="transform:scale(0)">X</b>',
    '<title>X</title>',
    '<pre hidden>X</pre>',
    '<select><option>X</select>',
    '<button>X</button>',
  ];
  for (const html of hidden) assert.equal(body(`seen ${html} too`).replaceAll(/\s+/g, ' '), 'seen too', html);
});

test('text that only looks hidden stays', () => {
  for (const style of [
    'display:block',
    'opacity:0.5',
    'font-size:0.9em',
    'left:-3px',
    'color:#fff;background:#000',
    'font-size:10px',
    'overflow:hidden;height:100px',
    'visibility:visible',
    'line-height:0',
  ]) {
    assert.match(body(`<b style="${style}">shown</b>`), /shown/, style);
  }
  assert.match(body('<style>@media print { .x { display: none } }</style><b class="x">shown</b>'), /shown/);
});

test('characters nobody sees are left out; joiners of scripts and emoji stay', () => {
  assert.equal(body('a\u200Bb\u{E0041}c\u202Ed\u00ADe 👩\u200D💻'), 'abcde 👩\u200D💻');
});

test('links become absolute; those that lead nowhere become their text', () => {
  assert.equal(body('<a href="c?x=1#y">t</a>'), '[t](https://site.example/a/c?x=1#y)');
  assert.equal(body('<a href="//other.example/p">t</a>'), '[t](https://other.example/p)');
  assert.equal(body('<base href="/deep/"><a href="c">t</a>'), '[t](https://site.example/deep/c)');
  for (const href of ['javascript:alert(1)', 'data:text/html,x', '#here', 'vbscript:x', 'file:///etc/passwd'])
    assert.equal(body(`<a href="${href}">t</a>`), 't', href);
  assert.equal(convert('<p><a href="/x">t</a></p>').markdown, 't');
});

test('a description stands in for a page without text, and is not repeated where there is one', () => {
  assert.equal(convert('<meta name="description" content="About this."><div id="root"></div>').markdown, 'About this.');
  assert.equal(convert('<meta name="description" content="About this."><p>About this.</p>').markdown, 'About this.');
});

test(
  'facts: OpenGraph before JSON-LD before meta before the page; addresses are no authors; broken JSON-LD is as ' +
    'none',
  () => {
    const facts = (html: string): object => ({ ...convert(html), markdown: undefined });
    assert.deepEqual(
      facts(
        '<meta property="og:title" content="A"><script ' +
          'type="application/ld+json">{"@type":"Article","headline":"B"}</script><title>C</title>',
      ),
      { title: 'A', markdown: undefined },
    );
    assert.deepEqual(
      facts('<script type="application/ld+json">{"@type":"Article","headline":"B",}</script><title>C</title>'),
      { title: 'C', markdown: undefined },
    );
    assert.deepEqual(facts('<meta name="author" content="https://x.example/jo"><a rel="author" href="/jo">Jo</a>'), {
      author: 'Jo',
      markdown: undefined,
    });
    assert.deepEqual(facts('<time datetime="2026-05-06T23:59:00-11:00">long ago</time>'), {
      date: '2026-05-06',
      markdown: undefined,
    });
    assert.deepEqual(facts('<meta name="date" content="6th of May">'), { date: '6th of May', markdown: undefined });
  },
);

test('a consent banner goes; an article about cookies stays', () => {
  assert.equal(convert('<div class="cookie-bar"><p>We use cookies</p></div><p>Text</p>').markdown, 'Text');
  assert.match(
    convert('<div id="cookies-explained"><h1>Cookies</h1><p>Bake for ten minutes.</p></div>').markdown,
    /Bake/,
  );
});

/** Texts long enough for whatever is not bounded; the full run has some that reach every bound. */
const LONG = process.env['TEST_MATRICES'] === 'full' ? 1_500_000 : 60_000;
const fill = (piece: string, length = LONG): string => piece.repeat(Math.ceil(length / piece.length));
const HOSTILE: Readonly<Record<string, string>> = {
  'ten megabytes of open divs': `${fill('<div>', 10_000_000)}deep`,
  'divs closed again': `${fill('<div>')}deep${fill('</div>')}`,
  'a hundred thousand attributes': `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}=x`).join(' ')}>text`,
  'a comment without an end': `text<!-- ${fill('a -')}`,
  'cells without rows': `<table>${fill('<td><p>x', 1_500_000)}`,
  'tables in tables': fill('<table><tr><td>x'),
  'quotes without an end': `text ${fill('<a b="')}`,
  plaintext: `text<plaintext>${fill('<b>')}`,
  'angle brackets': `text${fill('<')}`,
  entities: `text${fill('&amp;')}`,
  'pictures without an end': `text${fill('<svg>')}`,
  spaces: `text${fill(' \n')}text`,
  'one word': fill('a'),
  'headings of nothing': `<div>${fill('<h2>Related</h2>')}</div>`,
  'words of menus': `<p>${fill('<b>Edit</b> ')}`,
  'code in a row': `<div>${fill('<pre>x</pre>')}</div>`,
  'lists of tabs': `<div>${fill('<ul role=tablist><li role=tab>a<li role=tab>b</ul><div role=tabpanel hidden>x</div>')}</div>`,
  'boxes in one item': `<ul><li>${fill('<input type=checkbox>')}`,
  'cells that span everything': `<table>${fill('<tr><td rowspan=500 colspan=100>x')}`,
  'formulas in formulas': `<math>${fill('<msup><mi>x</mi>')}`,
};
for (const [name, html] of Object.entries(HOSTILE)) {
  test(`hostile: ${name}`, () => {
    const { markdown } = convert(html);
    assert.ok(markdown.length < 60_000, `${markdown.length} characters`);
    if (html.startsWith('text')) assert.match(markdown, /^text/);
  });
}
