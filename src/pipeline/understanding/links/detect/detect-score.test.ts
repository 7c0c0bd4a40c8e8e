import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLinks } from './detect.ts';

/**
 * Inputs and the links in them, separated by blanks. The facts are those of the published linkify-it fixtures and of
 * section 6.9 of the GFM specification, as far as http and https go; where we decide otherwise (trailing `_`, `*`, `~`;
 * angle brackets; credentials), the row stands under "ours".
 */
const CASES: Readonly<Record<string, readonly (readonly [input: string, links: string])[]>> = {
  'plain addresses': [
    'http://example.org', 'http://example.org/foo', 'http://localhost', 'http://localhost/path', 'http://LOCALHOST', 'http://a.co', 'HTTP://EXAMPLE.ORG', 'Http://Example.Org/A', 'https://test.example.co.uk',
    'http://foo.com/blah_blah', 'http://foo.com/blah_blah/', 'http://foo.com/blah_blah_(wikipedia)', 'http://foo.com/blah_blah_(wikipedia)_(again)', 'http://www.example.com/wpstyle/?p=364', 'https://www.example.com/foo/?bar=baz&inga=42&quux',
    'http://✪df.ws/123', 'http://➡.ws/䨹', 'http://⌘.ws', 'http://⌘.ws/', 'http://☺.damowmow.com/', 'http://مثال.إختبار', 'http://例子.测试', 'http://उदाहरण.परीक्षा', 'http://президент.рф', 'http://xn--d1abbgf6aiiy.xn--p1ai/',
    'http://foo.com/blah_(wikipedia)#cite-1', 'http://foo.com/blah_(wikipedia)_blah#cite-1', 'http://foo.com/unicode_(✪)_in_parens', 'http://foo.com/(something)?after=parens', 'http://code.google.com/events/#&product=browser', 'http://j.mp',
    'http://foo.bar/?q=Test%20URL-encoded%20stuff', 'http://1337.net', 'http://a.b-c.de', 'http://a.b--c.de/', 'http://223.255.255.254', 'http://8.8.8.8:8080/x', 'http://142.42.1.1/', 'http://142.42.1.1:8080/',
    'http://example.com:8080', 'http://example.com:8080/', 'http://example.com:65535/x', 'http://example.com?x=1', 'http://example.com#anchor', 'http://example.com/?#', 'http://example.com/a/b/../c', 'http://example.com/a,b;c', 'http://example.com/foo--bar',
    'http://example.com/~user/', 'http://example.com/@name/status/1', 'http://example.com/a:b', 'http://example.com/$x', 'http://example.com/a%20b', 'http://example.com/[x]', 'http://example.com/{x}', 'http://example.com/x|y', 'http://example.com/"x"/y',
    "http://example.com/it's", 'http://example.com/x=y', 'http://example.com/x+y', 'http://example.com/x!y', 'http://example.com/a.b.c', 'http://example.com/a..b', 'http://example.com/?a[]=1&b[x]=2', 'http://example.com/\\x', 'http://example.com/ä/ö?ü=ß',
    'http://[2001:4860:4860::8888]/', 'http://[2606:4700::1111]:8080/x', 'http://x_y.example.com/', 'http://sub.sub.sub.example.museum', 'http://example.com/index.php?title=A_(b)&x=(1)', 'https://example.com/a/-/b', 'https://example.com/#/route?x=1',
    'https://www.google.com/maps/@52.5,13.4,15z', 'https://web.archive.org/web/2020/https://example.com/', 'https://example.com/x?next=https://b.example/y', 'https://t.me/+abc', 'https://example.com/%E4%BE%8B', 'https://example.com/日本語', 'https://日本語.jp/日本',
    'https://example.com/file.tar.gz', 'https://example.com/a?b=c&d=e;f=g', 'https://example.com/*/x', 'https://example.com/x_y_z', 'https://example.com/😀', 'https://a-very-long-subdomain-name-that-is-still-legal-as-a-label.example.com/',
  ].map((url) => [url, url] as const),
  'the sentence around': [
    ['see http://example.org.', 'http://example.org'], ['http://www.foo.bar.', 'http://www.foo.bar'], ['see http://example.org, and', 'http://example.org'], ['http://example.org!', 'http://example.org'], ['http://example.org?', 'http://example.org'], ['http://example.org:', 'http://example.org'],
    ['http://example.org;', 'http://example.org'], ['(http://example.org)', 'http://example.org'], ['[http://example.org]', 'http://example.org'], ['{http://example.org}', 'http://example.org'], ['"http://example.org"', 'http://example.org'],
    ["'http://example.org'", 'http://example.org'], ['«http://example.org»', 'http://example.org'], ['“http://example.org”', 'http://example.org'], ['‘http://example.org’', 'http://example.org'], ['„http://example.org“', 'http://example.org'],
    ['http://example.org...', 'http://example.org'], ['http://example.org/foo...', 'http://example.org/foo'], ['http://example.org/foo.', 'http://example.org/foo'], ['http://example.org/foo,', 'http://example.org/foo'], ['http://example.org/foo!!', 'http://example.org/foo'],
    ['http://example.org/foo)', 'http://example.org/foo'], ['http://example.org/foo).', 'http://example.org/foo'], ['(http://example.org/foo_(bar))', 'http://example.org/foo_(bar)'], ['http://example.org/(foo', 'http://example.org/'], ['[http://example.org/foo_(bar)]', 'http://example.org/foo_(bar)'],
    ['http://example.org/foo]', 'http://example.org/foo'], ['http://example.org/foo}', 'http://example.org/foo'], ['http://example.org/foo>', 'http://example.org/foo'], ['>http://example.org<', 'http://example.org'], ['->http://example.org', 'http://example.org'],
    ['a http://example.org b https://b.example c', 'http://example.org https://b.example'], ['http://a.example\nhttp://b.example', 'http://a.example http://b.example'], ['http://a.example\thttp://b.example', 'http://a.example http://b.example'], ['http://a.example|http://b.example', 'http://a.example http://b.example'],
    ['http://a.example,http://b.example', 'http://a.example http://b.example'], ['url=http://a.example', 'http://a.example'], ['foo:http://a.example', 'http://a.example'], ['/http://a.example', 'http://a.example'], ['http://a.example\u00a0x', 'http://a.example'], ['http://a.example\u3000x', 'http://a.example'],
    ['http://foo.bar?q=Spaces should', 'http://foo.bar?q=Spaces'], ['http://example.com/foo"', 'http://example.com/foo'], ['http://example.com/it’s', 'http://example.com/it'], ['see http://example.com/a (b)', 'http://example.com/a'],
  ],
  'GFM extended autolinks': [
    ['http://commonmark.org', 'http://commonmark.org'], ['(Visit https://encrypted.google.com/search?q=Markup+(business))', 'https://encrypted.google.com/search?q=Markup+(business)'], ['Visit https://www.commonmark.org/help for more', 'https://www.commonmark.org/help'],
    ['Visit http://www.commonmark.org.', 'http://www.commonmark.org'], ['Visit http://www.commonmark.org/a.b.', 'http://www.commonmark.org/a.b'], ['https://www.google.com/search?q=Markup+(business)', 'https://www.google.com/search?q=Markup+(business)'],
    ['https://www.google.com/search?q=Markup+(business)))', 'https://www.google.com/search?q=Markup+(business)'], ['(https://www.google.com/search?q=Markup+(business))', 'https://www.google.com/search?q=Markup+(business)'], ['(https://www.google.com/search?q=Markup+(business)', 'https://www.google.com/search?q=Markup+(business)'],
    ['https://www.google.com/search?q=(business))+ok', 'https://www.google.com/search?q=(business))+ok'], ['https://www.google.com/search?q=commonmark&hl=en', 'https://www.google.com/search?q=commonmark&hl=en'], ['https://www.google.com/search?q=commonmark&hl;', 'https://www.google.com/search?q=commonmark'],
    ['https://www.commonmark.org/he<lp', 'https://www.commonmark.org/he'], ['a.b-c_d@a.b http://commonmark.org', 'http://commonmark.org'], ['**http://commonmark.org**', 'http://commonmark.org'], ['~http://commonmark.org~', 'http://commonmark.org'], ['*http://commonmark.org*', 'http://commonmark.org'],
  ],
  'markup that makes them not bare': [
    ['<http://commonmark.org>', ''], ['[a](http://commonmark.org)', ''], ['[a](http://commonmark.org "t")', ''], ['[a](<http://commonmark.org/x y>)', ''], ['![a](http://commonmark.org)', ''], ['[![b](http://img.example)](http://a.example)', ''],
    ['[t](https://a.example/p_(q)) tail', ''], ['[https://label.example](https://a.example)', ''], ['[ref][1]\n\n[1]: https://a.example/ref', ''], ['[1]: https://a.example/ref "T"', ''], ['[ref]\n\n[ref]: <https://a.example>', ''], ['`http://a.example`', ''], ['`` ` http://a.example ``', ''],
    ['```\nhttp://a.example\n```', ''], ['~~~sh\ncurl http://a.example\n~~~', ''], ['```\nhttp://a.example', ''], ['    http://a.example', ''], ['<a href="http://a.example">x</a>', ''], ['<a href="http://a.example">http://a.example</a>', ''], ['<img src="http://a.example/x.png">', ''],
    ['<!-- http://a.example -->', ''], ['<code>http://a.example</code>', ''], ['> ```\n> http://a.example\n> ```', ''], ['- `http://a.example`', ''], ['1. [x](http://a.example)', ''],
    ['<b>http://a.example</b>', 'http://a.example'], ['> http://a.example', 'http://a.example'], ['- http://a.example', 'http://a.example'], ['# http://a.example', 'http://a.example'], ['- a\n\n    http://a.example', 'http://a.example'], ['`x` http://a.example `y`', 'http://a.example'],
    ['[x] http://a.example', 'http://a.example'], ['[x]: see http://a.example', 'http://a.example'], ['` http://a.example', 'http://a.example'], ['[a](http://b.example', 'http://b.example'], ['1 < 2 http://a.example 3 > 2', 'http://a.example'], ['[docs](https://docs.example.com) and https://status.example.com', 'https://status.example.com'],
    ['\\`http://a.example\\`', ''], ['[our **docs** http://x.example](https://docs.example.com)', ''], ['|a|http://a.example|', 'http://a.example'],
  ],
  'no links': [
    '', 'http', 'http:', 'http:/', 'http://', 'https://', 'http://.', 'http://..', 'http://../', 'http://?', 'http://??', 'http://??/', 'http://#', 'http://##', 'http:// shouldfail.com', 'http:///a', 'http:///', '://example.org', '//example.org', 'www.example.org', 'example.org',
    'ftp://example.org', 'mailto:a@b.example', 'javascript://example.org', 'data:text/html,http', 'xhttp://example.org', 'xhttps://example.org', '_http://example.org', '1http://example.org', 'éhttp://example.org', 'http:example.org', 'http;//example.org', 'hhttp://a.example', 'http//example.org',
    'http://-', 'http://-a-', 'http://_', 'http://example.org:99999', 'http://[::1', 'http://[', 'http://()', 'http://"x"', "http://'x'", 'http://\u0000', 'http://<x>', 'h ttp://example.org', 'HTTP', 'shttp://a.example', 'file:///etc/passwd', 'http://999.1.1.1', 'http://[fe80::1%25eth0]/',
    'http://%zz.example/', 'http://a..b/', 'http://.example.org', 'http://*.example.org', 'http://example..org',
  ].map((input) => [input, ''] as const),
  'ours': [
    ['https://user:pw@a.example/', ''], ['https://user@a.example', ''], ['https://@a.example', ''], ['https://a.example:pw@b.example/x', ''], ['https://a.example/@b', 'https://a.example/@b'], ['https://a.example?x@b', 'https://a.example?x@b'],
    ['https://a.example、次', 'https://a.example'], ['https://a.example。', 'https://a.example'], ['https://a.example/x！', 'https://a.example/x'], ['（https://a.example/x）', 'https://a.example/x'], ['「https://a.example/x」と', 'https://a.example/x'], ['【https://a.example】', 'https://a.example'], ['请看https://a.example/x，谢谢', 'https://a.example/x'],
    ['https://a.example\u200b', 'https://a.example'], ['\u200bhttps://a.example\u200b next', 'https://a.example'], ['https://a.exa\u200bmple/x', ''], ['https://a.example\u202e', 'https://a.example'], ['\ufeffhttps://a.example', 'https://a.example'], ['https://a.example/x\u00ady', 'https://a.example/x'],
    ['https://a.example/x_', 'https://a.example/x'], ['https://a.example/x*', 'https://a.example/x'], ['https://a.example/x~', 'https://a.example/x'], ['https://a.example/x|', 'https://a.example/x'], ['https://a.example/x&quot;', 'https://a.example/x'],
    ['https://a.example https://a.example/', 'https://a.example'], ['https://A.example https://a.example', 'https://A.example'], ['https://a.example:443/x https://a.example/x', 'https://a.example:443/x'], ['https://a.example#f https://a.example', 'https://a.example#f https://a.example'],
    ['http://a.example https://a.example', 'http://a.example https://a.example'], ['https://a.example/x https://a.example/x/', 'https://a.example/x https://a.example/x/'], ['https://bücher.example/ä https://xn--bcher-kva.example/%C3%A4', 'https://bücher.example/ä'], ['http://intranet/', 'http://intranet/'],
    ['https://a.example\\@evil.example', 'https://a.example'],
  ],
};

test('T1 T2 T3 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 the published cases and ours: every address right, nothing else taken', () => {
  let right = 0;
  const wrong: string[] = [];
  for (const [group, rows] of Object.entries(CASES))
    for (const [input, links] of rows) {
      const found = detectLinks(input, { limit: 10 }).map(({ url }) => url).join(' ');
      if (found === links) right++;
      else wrong.push(`${group}: ${JSON.stringify(input)} gave ${JSON.stringify(found)}, not ${JSON.stringify(links)}`);
    }
  console.log(`link detection: ${right} of ${right + wrong.length} cases right`);
  assert.deepEqual(wrong, []);
});
