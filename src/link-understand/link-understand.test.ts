/** The command against a web server on loopback: in this process, and as a process where that matters. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../core/log.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { fakeSite, page, runLinkUnderstand, spawnLinkUnderstand, type Ran } from './fake.ts';

const reader = createDocumentReader({ log: silentLog });
after(() => reader.close());

/** One reader for all: its thread takes longer to start than to read. As a process the command has its own. */
const understand = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runLinkUnderstand(args, env, reader);

const ARTICLE =
  '<html><head><title>Tea</title><meta name="author" content="Mira"><meta property="og:site_name" ' +
  'content="Leaf"></head><body><nav>Home</nav><main><h1>Tea</h1><p>Hot <b>water</b> and <a ' +
  'href="/leaf">leaves</a>.</p></main></body></html>';

test('Markdown, text and JSON of a page', async () => {
  await using site = await fakeSite({ '/tea': page(ARTICLE) });
  const url = `${site.origin}/tea`;
  const [markdown, text, json] = await Promise.all([
    understand(['--url', url]),
    understand(['--url', url, '--format', 'text']),
    understand(['--url', url, '--format=json', '--max-chars', '500']),
  ]);
  assert.deepEqual(markdown, {
    code: 0,
    err: '',
    out: `# Tea\nAuthor: Mira\nSite: Leaf\n\nHot **water** and [leaves](${site.origin}/leaf).\n`,
  });
  assert.deepEqual(text, { code: 0, err: '', out: 'Tea\nAuthor: Mira\nSite: Leaf\n\nHot water and leaves.\n' });
  assert.deepEqual(JSON.parse(json.out), {
    url,
    finalUrl: url,
    title: 'Tea',
    author: 'Mira',
    date: null,
    site: 'Leaf',
    contentType: 'text/html',
    text: `Hot **water** and [leaves](${site.origin}/leaf).`,
    truncated: false,
  });
});

test('JSON becomes bullets, a feed its entries, plain text and Markdown stay, a table is a table', async () => {
  await using site = await fakeSite({
    '/json': page('{"id":7,"open":true}', 'application/json'),
    '/jsonfeed': page(
      '{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"/1","title":"One"}]}',
      'application/feed+json',
    ),
    '/notjson': page('{"id":', 'application/json'),
    '/feed': page(
      '<rss><channel><title>F</title><item><title>One</title><link>/1</link></item></channel></rss>',
      'application/rss+xml',
    ),
    '/text': page('plain *text*\n\n<b>not html</b>', 'text/plain'),
    '/md': page('# Head\n\ntext', 'text/markdown'),
    '/csv': page('a,b\n1,2\n', 'text/csv'),
  });
  const [json, jsonfeed, notjson, feed, text, md, csv] = await Promise.all(
    ['json', 'jsonfeed', 'notjson', 'feed', 'text', 'md', 'csv'].map((name) =>
      understand(['--url', `${site.origin}/${name}`]),
    ),
  );
  assert.equal(json!.out, '- id: 7\n- open: true\n');
  assert.equal(jsonfeed!.out, `# J\n\n- [One](${site.origin}/1)\n`);
  assert.equal(notjson!.out, '{"id":\n');
  assert.equal(feed!.out, `# F\n\n- [One](${site.origin}/1)\n`);
  assert.equal(text!.out, 'plain *text*\n\n<b>not html</b>\n');
  assert.equal(md!.out, '# Head\n\ntext\n');
  assert.equal((await understand(['--url', `${site.origin}/text`, '--format', 'text'])).out, text!.out);
  assert.match(csv!.out, /a.*b\n[\s\S]*1.*2/);
});

test('a page that gives only its title is a failure, so that the next way to read it is tried', async () => {
  await using site = await fakeSite({
    '/shell': page(
      '<title>Orbit</title><noscript>You need to enable JavaScript to run this app.</noscript><div ' +
        'id="root">Loading…</div>',
    ),
  });
  assert.deepEqual(await understand(['--url', `${site.origin}/shell`]), {
    code: 1,
    out: '',
    err: `link-understand: ${site.origin}/shell: it gives only its title\n`,
  });
});

test('a page that sends its readers on is followed, a few times and never past the guard; one that reloads is read', async () => {
  const to = (content: string, text = ''): ReturnType<typeof page> =>
    page(`<title>Moved</title><meta http-equiv="Refresh" content="${content}"><p>${text}</p>`);
  await using site = await fakeSite({
    '/old': to('0; url=/older'),
    '/older': to("3;URL='/tea'"),
    '/tea': page(ARTICLE),
    '/round': to('0;url=/round?again', 'Round.'),
    '/late': to('300; url=/tea', 'Scores so far.'),
    '/self': to('5', 'Stays.'),
    '/noscript': page(
      '<title>T</title><noscript><meta http-equiv="refresh" content="0;url=/tea"></noscript><p>With scripts.</p>',
    ),
    '/inside': to('0;url=http://10.0.0.1/'),
    '/file': to('0;url=file:///etc/hosts', 'Not a file.'),
  });
  const read = async (name: string): Promise<string> => (await understand(['--url', `${site.origin}/${name}`])).out;
  assert.match(await read('old'), new RegExp(`Redirected to: ${site.origin}/tea\n\nHot \\*\\*water`));
  assert.match(await read('round'), /Round\./);
  assert.ok(site.requests.filter(({ url }) => url!.startsWith('/round')).length <= 4);
  for (const [name, text] of [
    ['late', 'Scores so far.'],
    ['self', 'Stays.'],
    ['noscript', 'With scripts.'],
    ['file', 'Not a file.'],
  ])
    assert.match(await read(name!), new RegExp(text!), name);
  const { code, out } = await understand(['--url', `${site.origin}/inside`]);
  assert.deepEqual({ code, out }, { code: 3, out: '' });
});

test('pictures, recordings, films and unknown bytes: one line, exit code 1', async () => {
  await using site = await fakeSite({
    '/png': page(Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'), 'image/png'),
    '/lie': page(Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'), 'text/html'),
    '/ogg': page(
      Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead'), Buffer.alloc(40)]),
      'audio/ogg',
    ),
    '/bin': page(
      Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 37) % 256)),
      'application/octet-stream',
    ),
    '/none': page(''),
  });
  for (const name of ['png', 'lie', 'ogg', 'bin', 'none']) {
    const { code, out, err } = await understand(['--url', `${site.origin}/${name}`]);
    assert.deepEqual({ code, out }, { code: 1, out: '' }, `${name}: ${err}`);
    assert.match(err, new RegExp(`^link-understand: ${site.origin}/${name}: [^\\n]+\\n$`));
  }
  assert.match((await understand(['--url', `${site.origin}/png`])).err, /a picture \(image\/png\), not text/);
});

test('HTTP errors, servers that do not speak HTTP, endless redirects: one line, exit code 1', async () => {
  await using site = await fakeSite({
    '/gone': (_request, response) => void response.writeHead(410).end(),
    '/odd': (_request, response) => void response.writeHead(499).end(),
    '/round': (_request, response) => void response.writeHead(302, { location: '/round' }).end(),
  });
  const run = async (path: string): Promise<string> => {
    const { code, out, err } = await understand(['--url', `${site.origin}${path}`]);
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    return err.replace(`link-understand: ${site.origin}${path}: `, '').trim();
  };
  assert.equal(await run('/nothing'), 'the server answered 404 Not Found');
  assert.equal(await run('/gone'), 'the server answered 410 Gone');
  assert.equal(await run('/odd'), 'the server answered 499');
  assert.match(await run('/round'), /redirects more than/);
  const mumbling = createServer((socket) => socket.end('no HTTP\r\n\r\n')).listen(0, '127.0.0.1');
  await new Promise((listening) => mumbling.once('listening', listening));
  const { code, out, err } = await understand([
    '--url',
    `http://127.0.0.1:${(mumbling.address() as { port: number }).port}/`,
  ]);
  mumbling.close();
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^link-understand: http:[^\n]+\n$/);
});

test('wrong usage: exit code 2, nothing fetched; help and version: exit code 0', async () => {
  for (const args of [
    [],
    ['--url', 'ftp://a.example/'],
    ['--url', 'nonsense'],
    ['--url', 'http://a.example', '--format', 'html'],
    ['--url', 'http://a.example', '--max-chars', '0'],
    ['--url', 'http://a.example', '--timeout', 'soon'],
    ['--url', 'http://a.example', '--colour'],
    ['--url', 'http://a.example', 'extra'],
  ]) {
    const { code, out, err } = await understand(args);
    assert.deepEqual({ code, out }, { code: 2, out: '' }, args.join(' '));
    assert.match(err, /^link-understand: [^\n]+; see link-understand --help\n$/);
  }
  assert.equal(
    (await understand(['--url', 'http://a.example'], { CLAWDBOT_FETCH_RULES: '{"allowRanges":"10.0.0.0/8"}' })).code,
    2,
  );
  const help = await understand(['--help']);
  assert.equal(help.code, 0);
  assert.match(help.out, /--max-chars N/);
});

test('as a process: what is printed, what is complained about, and the exit code', async () => {
  await using site = await fakeSite({ '/tea': page(ARTICLE), '/silent': () => {} });
  const [read, wrong, refused, late] = await Promise.all([
    spawnLinkUnderstand(['--url', `${site.origin}/tea`, '--timeout', '300']),
    spawnLinkUnderstand(['--colour']),
    spawnLinkUnderstand(['--url', 'http://10.0.0.1/']),
    spawnLinkUnderstand(['--url', `${site.origin}/silent`, '--timeout', '0.5']),
  ]);
  assert.deepEqual(read, { code: 0, err: '', out: (await understand(['--url', `${site.origin}/tea`])).out });
  for (const [{ code, out, err }, expected] of [
    [wrong, 2],
    [refused, 3],
    [late, 4],
  ] as const) {
    assert.deepEqual([code, out], [expected, '']);
    assert.match(err, /^link-understand: [^\n]+\n$/);
  }
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.deepEqual(await spawnLinkUnderstand(['--version']), { code: 0, out: `${version}\n`, err: '' });
});

test('the installed command answers like its source, and passes the exit code on', async () => {
  const run = (...args: string[]): ReturnType<typeof spawnLinkUnderstand> =>
    spawnLinkUnderstand(args, { CLAWDBOT_FETCH_RULES: '' }, join(import.meta.dirname, '../../bin/link-understand.mjs'));
  assert.match((await run('--version')).out, /^\d+\.\d+\.\d+\n$/);
  assert.equal((await run('--url', 'http://127.0.0.1/')).code, 3);
});

test('the guard is on by default, and holds for every redirect: exit code 3', async () => {
  await using site = await fakeSite({
    '/tea': page(ARTICLE),
    '/metadata': (_request, response) =>
      void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    '/private': (_request, response) => void response.writeHead(301, { location: 'http://10.0.0.1/' }).end(),
    '/mapped': (_request, response) => void response.writeHead(307, { location: 'http://[::ffff:10.0.0.1]/' }).end(),
    '/file': (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  });
  const closed = await understand(['--url', `${site.origin}/tea`], { CLAWDBOT_FETCH_RULES: '' });
  assert.deepEqual({ code: closed.code, out: closed.out }, { code: 3, out: '' });
  assert.match(closed.err, /loopback/);
  assert.equal(site.requests.length, 0);
  for (const url of [
    'http://localhost/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://metadata.google.internal/',
    'http://user@127.0.0.1/',
  ])
    assert.equal((await understand(['--url', url], { CLAWDBOT_FETCH_RULES: '' })).code, 3, url);
  for (const path of ['/metadata', '/private', '/mapped', '/file']) {
    const { code, out, err } = await understand(['--url', `${site.origin}${path}`]);
    assert.deepEqual({ code, out }, { code: 3, out: '' }, `${path}: ${err}`);
  }
});

test('a redirect shows where it led', async () => {
  await using site = await fakeSite({
    '/old': (_request, response) => void response.writeHead(302, { location: '/tea' }).end(),
    '/tea': page(ARTICLE),
  });
  assert.match(
    (await understand(['--url', `${site.origin}/old`])).out,
    new RegExp(`^Redirected to: ${site.origin}/tea$`, 'm'),
  );
  const json = JSON.parse((await understand(['--url', `${site.origin}/old`, '--format', 'json'])).out) as {
    url: string;
    finalUrl: string;
  };
  assert.deepEqual([json.url, json.finalUrl], [`${site.origin}/old`, `${site.origin}/tea`]);
});

test('a server that never ends, or never begins: exit code 4', async () => {
  await using site = await fakeSite({
    '/silent': () => {},
    '/drip': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const drip = setInterval(() => response.write('<p>x'), 20);
      response.on('close', () => clearInterval(drip));
    },
  });
  const ends = await Promise.all(
    ['/silent', '/drip'].map((path) => understand(['--url', `${site.origin}${path}`, '--timeout', '0.3'])),
  );
  for (const { code, out, err } of ends) {
    assert.deepEqual({ code, out }, { code: 4, out: '' }, err);
    assert.match(err, /0\.3 s/);
  }
});

test('a page over 5 MiB is refused, a text over 20 MiB too, a long one is cut', async () => {
  await using site = await fakeSite({
    '/page': page(Buffer.alloc(6 * 1024 * 1024, 'a')),
    '/text': page(Buffer.alloc(21 * 1024 * 1024, 'a'), 'text/plain'),
    '/long': page('One sentence. '.repeat(5000), 'text/plain'),
  });
  assert.match((await understand(['--url', `${site.origin}/page`])).err, /larger than 5 MiB/);
  const text = await understand(['--url', `${site.origin}/text`]);
  assert.deepEqual([text.code, text.out], [1, '']);
  const long = await understand(['--url', `${site.origin}/long`, '--max-chars', '1000']);
  assert.ok(long.out.trimEnd().length <= 1000);
  assert.match(long.out, /sentence\.\n\n\[… cut here; the page continues\]\n$/);
});

test('a proxy of the environment is used, and the target is guarded all the same', async () => {
  await using proxy = await fakeSite({});
  const asked: string[] = [];
  await using site = await fakeSite({ '/tea': page(ARTICLE) });
  await using forwarding = await fakeSite({
    [`${site.origin}/tea`]: (request, response) => {
      asked.push(request.url!);
      page(ARTICLE)(request, response);
    },
  });
  const run = (url: string, via: string): ReturnType<typeof understand> =>
    understand(['--url', url], { HTTP_PROXY: via });
  assert.match((await run(`${site.origin}/tea`, forwarding.origin)).out, /^# Tea/);
  assert.deepEqual([asked, site.requests.length], [[`${site.origin}/tea`], 0]);
  assert.equal((await run('http://192.168.1.1/', proxy.origin)).code, 3);
  assert.equal(proxy.requests.length, 0);
});

test('a URL with a password, control characters or great length does not spill into the error line', async () => {
  const { err } = await understand(['--url', `http://user:hunter2@127.0.0.1/${'x'.repeat(5000)}`]);
  assert.doesNotMatch(err, /hunter2/);
  assert.ok(err.length < 1100 && err.trimEnd().split('\n').length === 1);
});
