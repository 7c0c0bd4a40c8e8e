/** Feeds of every format as a title and their newest entries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedToMarkdown, isLikelyFeed } from './feed-to-markdown.ts';

const read = (text: string): ReturnType<typeof feedToMarkdown> =>
  feedToMarkdown(text, { url: 'https://blog.example/feed.xml', maxChars: 20_000 });

const RSS = `<?xml version="1.0" encoding="UTF-8"?><!-- made by hand -->
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Tea &amp; time</title><link>https://blog.example/</link><description>Notes on waiting</description>
<item><title>Older</title><link>/older</link><pubDate>Mon, 02 Feb 2026 10:00:00 GMT</pubDate><description><![CDATA[<p>An <b>old</b> note.</p>]]></description></item>
<item><title>Newer</title><guid>https://blog.example/newer</guid><pubDate>Tue, 3 Mar 2026 10:00:00 +0100</pubDate><dc:creator>Mira</dc:creator><content:encoded>&lt;p&gt;A new note.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;</content:encoded></item></channel></rss>`;

test('RSS 2.0: newest first, links absolute, HTML of the entries as Markdown', () => {
  assert.ok(isLikelyFeed(RSS));
  assert.deepEqual(read(RSS), {
    title: 'Tea & time',
    date: '2026-03-03',
    markdown:
      'Notes on waiting\n\n- [Newer](https://blog.example/newer) (2026-03-03, Mira)\n  A new note.\n- ' +
      '[Older](https://blog.example/older) (2026-02-02)\n  An **old** note.',
  });
});

test('Atom', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Loom</title><subtitle>Cloth</subtitle><updated>2026-04-01T00:00:00Z</updated><author><name>Ada</name></author>
  <entry><title type="html">First &lt;i&gt;light&lt;/i&gt;</title><link rel="self" href="/self"/><link href="/first"/><published>2026-03-30T08:00:00Z</published><summary>It runs.</summary></entry></feed>`;
  assert.ok(isLikelyFeed(atom));
  assert.deepEqual(read(atom), {
    title: 'Loom',
    author: 'Ada',
    date: '2026-04-01',
    markdown: 'Cloth\n\n- [First light](https://blog.example/first) (2026-03-30)\n  It runs.',
  });
});

test('RSS 1.0 keeps its items beside the channel', () => {
  const rdf =
    '<rdf:RDF ' +
    'xmlns:rdf="x"><channel><title>Old</title></channel><item><title>One</title><link>https://a.example/1</link><dc:date>2026-01-01</dc:date></item></rdf:RDF>';
  assert.ok(isLikelyFeed(rdf));
  assert.equal(read(rdf)?.markdown, '- [One](https://a.example/1) (2026-01-01)');
});

test('JSON Feed', () => {
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'J',
    authors: [{ name: 'Jo' }],
    items: [{ id: '1', url: 'https://a.example/1', content_text: 'Hello', date_published: '2026-02-03T04:05:06Z' }],
  });
  assert.ok(isLikelyFeed(json));
  assert.deepEqual(read(json), {
    title: 'J',
    author: 'Jo',
    date: '2026-02-03',
    markdown: '- [Untitled](https://a.example/1) (2026-02-03)\n  Hello',
  });
});

test('what is no feed is not taken for one', () => {
  for (const text of [
    '<html><body>rss</body></html>',
    '{"items":[]}',
    '<svg></svg>',
    '',
    'feed',
    '<?xml version="1.0"?><feedback/>',
  ]) {
    assert.equal(isLikelyFeed(text), false, text);
    assert.equal(read(text), undefined, text);
  }
});

test('entities of a document type are not expanded, endless feeds are bounded', () => {
  const bomb =
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b ' +
    `"&a;&a;&a;&a;">]><rss><channel><title>&b;</title>${'<item><title>x</title></item>'.repeat(100_000)}</channel></rss>`;
  const found = read(bomb);
  assert.equal(found?.title, '&b;');
  assert.ok(found.markdown.length < 2000);
  assert.match(found.markdown, /- and \d+ more$/);
});
