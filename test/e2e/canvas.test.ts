/**
 * Canvas documents and folders in a whole gateway: created by an agent, shown everywhere, served to authorized clients.
 */
import assert from 'node:assert/strict';
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { startGateway, type GatewayOptions, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { desks } from '../fixtures/desk-channel/index.ts';

const PLUGIN = join(import.meta.dirname, '..', 'fixtures', 'desk-channel');
const workspaceOf = ({ stateDir }: RunningGateway): string => join(stateDir, '..', 'clawd');
const make = (id: string, args: object) => ({ calls: [{ id, name: 'canvas_document', args }] });
const bare = (gateway: RunningGateway, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${gateway.instance.port}${path}`, { redirect: 'manual', ...init });

async function withDocument(options: GatewayOptions = {}) {
  const gateway = await startGateway(options);
  const chat = await gateway.connect();
  gateway.models.reply(make('a', { id: 'cv_1', title: 'Status', height: 320, html: '<!doctype html><h1>Ready</h1>' }), {
    text: ['Here it is.'],
  });
  const { ended } = await chat.send('Show the status.');
  return { gateway, chat, final: (await ended).payload.message };
}

const PREVIEW = {
  kind: 'canvas',
  surface: 'assistant_message',
  render: 'url',
  viewId: 'cv_1',
  url: '/__openclaw__/canvas/documents/cv_1/index.html',
  title: 'Status',
  preferredHeight: 320,
};

describe('documents', () => {
  it('T176 one that a tool made is attached to the answer, in the event, the history and the transcript', async () => {
    const { gateway, chat, final } = await withDocument();
    await using _ = gateway;
    assert.deepEqual(final.content, [
      { type: 'text', text: 'Here it is.' },
      { type: 'canvas', preview: PREVIEW },
    ]);
    const { messages } = await chat.call('chat.history', { sessionKey: 'main' });
    const last = messages.at(-1);
    assert.deepEqual(last.content, [
      { type: 'text', text: 'Here it is.' },
      { type: 'canvas', preview: PREVIEW },
    ]);
    const { sessionId } = await chat.call('chat.history', { sessionKey: 'main' });
    const stored = await readFile(join(gateway.stateDir, 'agents', 'main', 'sessions', `${sessionId}.jsonl`), 'utf8');
    assert.ok(stored.includes(JSON.stringify({ type: 'canvas', preview: PREVIEW })));
    // The model reads what it wrote, and no block of ours.
    gateway.models.reply({ text: ['Yes.'] });
    await chat.say('Is it there?');
    assert.doesNotMatch(
      JSON.stringify(gateway.models.requests.at(-1)),
      /preferredHeight":320,"surface|"type":"canvas"/,
    );
  });

  it('an embed shows one again, under its own title; its words have no directive', async () => {
    const { gateway, chat } = await withDocument();
    await using _ = gateway;
    gateway.models.reply({ text: ['Again: [embed ref="cv_1" title="Once more" height="5000" /] so.'] });
    const { ended } = await chat.send('Again.');
    const { message } = (await ended).payload;
    assert.deepEqual(message.content, [
      { type: 'text', text: 'Again: so.' },
      { type: 'canvas', preview: { ...PREVIEW, title: 'Once more', preferredHeight: 1200 } },
    ]);
    for (const [written, text] of [
      ['[embed ref="cv_none" title="Gone" /]', '(cv_none was not sent: the file does not exist.)'],
      ['[embed url="https://example.com/x" title="Site" /]', 'Site: https://example.com/x'],
      ['[embed url="javascript:alert(1)" title="Bad" /]', '(Bad is shown in the Control UI only.)'],
    ] as const) {
      gateway.models.reply({ text: [written] });
      const said = await (await chat.send('More.')).ended;
      assert.deepEqual(said.payload.message.content, [{ type: 'text', text }], written);
    }
  });

  it('T180 pages of others are blocks only where the gateway allows them', async () => {
    await using gateway = await startGateway({ config: { gateway: { controlUi: { allowExternalEmbedUrls: true } } } });
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['[embed url="https://example.com/x" title="Site" /]'] });
    const { payload } = await (await chat.send('Show it.')).ended;
    assert.equal(payload.message.content.at(-1).preview.url, 'https://example.com/x');
    assert.deepEqual(await chat.call('canvas.open', { url: 'https://example.com/x' }), {
      url: 'https://example.com/x',
      sandbox: 'allow-scripts',
    });
    for (const url of [
      'http://example.com/',
      'https://localhost/',
      'https://127.0.0.1/',
      'javascript:1',
      'https://u:p@example.com/',
    ])
      await assert.rejects(chat.call('canvas.open', { url }), /Only documents of this gateway and https pages/, url);
  });

  it('one whose page is gone from the disk says so, also for a file it never had', async () => {
    const { gateway, chat } = await withDocument();
    await using _ = gateway;
    const missing = { code: 'not_found', message: /has no such page/ };
    await assert.rejects(chat.call('canvas.open', { url: PREVIEW.url.replace('index', 'other') }), missing);
    await rm(join(gateway.stateDir, 'canvas', 'documents', 'cv_1', 'index.html'));
    await assert.rejects(chat.call('canvas.open', { url: PREVIEW.url }), missing);
    const { messages } = await chat.call('chat.history', { sessionKey: 'main' });
    assert.deepEqual(messages.at(-1).content[0], { type: 'text', text: 'Here it is.' }, 'the words are there');
  });

  it('other chats get the title, and a link where the gateway has a public address', async () => {
    const config = (publicUrl?: string) => ({
      plugins: { load: { paths: [PLUGIN] } },
      channels: { desk: { table: `canvas-${publicUrl === undefined}`, allowFrom: ['ann'] } },
      canvasHost: { publicUrl },
    });
    for (const publicUrl of [undefined, 'https://claw.example.net/']) {
      await using gateway = await startGateway({ config: config(publicUrl) });
      const desk = await until(() => desks.get(`canvas-${publicUrl === undefined}`), 'the desk');
      gateway.models.reply(make('a', { id: 'cv_1', title: 'Status', html: 'Ready' }), {
        text: ['Here.'],
      });
      await desk.write({ text: 'Show it.' });
      await until(() => desk.sent.length > 0, 'the answer');
      const [, line] = desk.sent[0]!.text.split('\n');
      if (publicUrl === undefined) assert.equal(line, '(Status is shown in the Control UI only.)');
      else {
        const path = line!.replace('Status: https://claw.example.net', '');
        assert.match(path, /^\/__openclaw__\/cap\/[^/]+\/canvas\/documents\/cv_1\/index\.html$/);
        assert.equal(await (await bare(gateway, path)).text(), 'Ready');
      }
      await using chat = await gateway.connect();
      const { sessions } = await chat.call('sessions.list', {});
      const { messages } = await chat.call('chat.history', { sessionKey: sessions[0].key });
      assert.equal(messages.at(-1).content.at(-1).preview.viewId, 'cv_1');
      assert.doesNotMatch(JSON.stringify(messages.at(-1).content), /\[embed/);
    }
  });

  it('are read with a token of their own, which opens nothing else and not for ever', async () => {
    const { gateway, chat } = await withDocument();
    await using _ = gateway;
    const opened = await chat.call('canvas.open', { url: PREVIEW.url });
    assert.deepEqual([opened.sandbox, opened.title, opened.preferredHeight], ['allow-scripts', 'Status', 320]);
    const response = await bare(gateway, opened.path);
    assert.equal(await response.text(), '<!doctype html><h1>Ready</h1>');
    const headers = Object.fromEntries(response.headers);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-frame-options'], undefined);
    assert.match(headers['content-security-policy']!, /frame-ancestors 'self'; sandbox allow-scripts$/);
    const [, token] = /\/cap\/([^/]+)\//.exec(opened.path)!;
    for (const name of ['clawdbot', 'moltbot', 'openclaw'])
      assert.equal((await bare(gateway, `/__${name}__/cap/${token}/canvas/documents/cv_1/`)).status, 200, name);
    assert.equal((await bare(gateway, opened.path, { method: 'HEAD' })).status, 200);
    assert.equal((await bare(gateway, opened.path, { method: 'POST' })).status, 405);
    gateway.models.reply(make('b', { id: 'cv_2', html: 'Two' }), { text: ['Two.'] });
    await chat.say('Another.');
    for (const path of [
      `/__openclaw__/cap/${token}/canvas/documents/cv_2/index.html`,
      `/__openclaw__/cap/${token}/canvas/`,
      opened.path.replace(token!, `${Number(0).toString(36)}.${token!.split('.')[1]}`),
      opened.path.replace(token!, 'zzzzzzzz.' + 'A'.repeat(32)),
      opened.path.replace(/\/cap\/[^/]+/, '/cap/x'),
    ])
      assert.equal((await bare(gateway, path)).status, 403, path);
    assert.equal((await bare(gateway, PREVIEW.url)).status, 401);
    assert.equal((await gateway.fetch(PREVIEW.url)).status, 200);
    // Another one of the machine's names, or a page without an origin, changes nothing.
    assert.equal(
      (await bare(gateway, opened.path, { headers: { origin: 'null' } })).headers.get('access-control-allow-origin'),
      '*',
    );
    for (const path of ['manifest.json', '..%2fcv_2%2findex.html', 'none.html'])
      assert.equal((await gateway.fetch(`/__openclaw__/canvas/documents/cv_1/${path}`)).status, 404, path);
    assert.equal((await gateway.fetch('/__openclaw__/canvas/documents/a%2Fb/index.html')).status, 404);
    await gateway.restart({ port: gateway.instance.port });
    assert.equal((await bare(gateway, opened.path)).status, 200, 'a token outlives a restart');
  });

  it('are listed, replaced, restored and removed; those of another conversation are not seen', async () => {
    const { gateway, chat } = await withDocument();
    await using _ = gateway;
    gateway.models.reply(make('b', { id: 'cv_1', html: 'Second' }), { text: ['Done.'] });
    await chat.say('Change it.');
    const [document] = (await chat.call('canvas.documents.list', {})).documents;
    assert.deepEqual([document.id, document.version, document.title], ['cv_1', 2, 'Status']);
    assert.deepEqual((await chat.call('canvas.documents.get', { id: 'cv_1' })).versions, [1]);
    await chat.call('canvas.documents.restore', { id: 'cv_1', version: 1 });
    assert.match(await (await gateway.fetch(PREVIEW.url)).text(), /Ready/);
    await assert.rejects(chat.call('canvas.documents.restore', { id: 'cv_1', version: 9 }), /Kept: 2/);
    const results = async (session: string, ...args: object[]): Promise<string[]> => {
      gateway.models.reply(...args.map((one, n) => make(`t${n}`, one)), { text: ['Done.'] });
      await chat.say('Go on.', { session });
      const { messages } = await chat.call('chat.history', { sessionKey: session });
      return messages
        .filter(({ role }: any) => role === 'toolResult')
        .slice(-args.length)
        .map((one: any) => one.content[0].text);
    };
    const other = await results(
      'agent:main:other',
      { action: 'list' },
      { action: 'read', id: 'cv_1' },
      { action: 'delete', id: 'cv_1' },
      { id: 'cv_1', html: 'Taken over' },
    );
    assert.deepEqual(other, [
      'This conversation has no documents.',
      'This conversation has no document cv_1.',
      'This conversation has no document cv_1.',
      'The id cv_1 is taken by another conversation. Choose another id.',
    ]);
    const own = await results(
      'main',
      { action: 'list' },
      { action: 'read', id: 'cv_1' },
      { action: 'delete', id: 'cv_1' },
    );
    assert.match(own[0]!, /^cv_1 {2}version 3 /);
    assert.match(own[1]!, /version 3:\n<!doctype html><h1>Ready<\/h1>$/);
    assert.equal(own[2], 'Document cv_1 was removed.');
    await assert.rejects(chat.call('canvas.open', { url: PREVIEW.url }), /was removed, or never existed/);
  });

  it('are made of files of the workspace, and of nothing outside it', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('hello');
    const workspace = workspaceOf(gateway);
    await writeFile(join(workspace, 'page.html'), '<script src="app.js"></script>');
    await writeFile(join(workspace, 'main.js'), 'document.title = 1');
    await writeFile(join(workspace, 'notes.txt'), 'a <b> c');
    await writeFile(join(workspace, 'chart.png'), 'picture');
    const ask = async (args: object): Promise<string> => {
      gateway.models.reply(make('a', args), { text: ['Done.'] });
      await chat.say('Go.');
      const { messages } = await chat.call('chat.history', { sessionKey: 'main' });
      return messages.filter(({ role }: any) => role === 'toolResult').at(-1).content[0].text;
    };
    const read = async (path: string): Promise<string> =>
      (await gateway.fetch(`/__openclaw__/canvas/documents/${path}`)).text();
    assert.match(await ask({ id: 'p', path: 'page.html', assets: ['app.js=main.js'] }), /version 1/);
    assert.equal(await read('p/'), '<script src="app.js"></script>');
    assert.equal(await read('p/app.js'), 'document.title = 1');
    await ask({ id: 't', path: 'notes.txt' });
    assert.match(await read('t/'), /<pre>a &lt;b&gt; c<\/pre>/);
    await ask({ id: 'i', path: 'chart.png', title: 'A "chart"' });
    assert.match(await read('i/'), /<img src="chart\.png" alt="A &quot;chart&quot;">/);
    assert.equal(await read('i/chart.png'), 'picture');
    for (const [args, why] of [
      [{ path: '/etc/passwd' }, /outside the workspace/],
      [{ html: 'x', assets: ['x=/etc/passwd'] }, /outside the workspace/],
      [{ html: 'x', assets: ['../x.js=main.js'] }, /cannot be a file of a document/],
      [{ html: 'x', assets: ['main.js', 'main.js'] }, /Two files of the document are called main\.js/],
      [{ html: 'x', path: 'notes.txt' }, /made of one of html, url and path/],
      [{}, /made of one of html, url and path/],
      [{ url: 'https://example.com/' }, /allowExternalEmbedUrls is off/],
      [{ html: 'x', id: '../x' }, /A document id has letters/],
    ] as const)
      assert.match(await ask(args), why);
  });
});

describe('the canvas folder', () => {
  it('121 127 is served with live reload, confined, and only with a token of its own', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('hello');
    const folder = join(workspaceOf(gateway), 'canvas');
    const { path } = await chat.call('canvas.open', { url: '/__clawdbot__/canvas/' });
    const first = await (await bare(gateway, path)).text();
    assert.match(
      first,
      /Files in this folder are served here[\s\S]*<script>[\s\S]*new WebSocket[\s\S]*<\/script>\n<\/body>/,
    );
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'sub', 'index.html'), 'Sub');
    await writeFile(join(folder, 'data.json'), '{"a":1}');
    assert.equal((await bare(gateway, `${path}sub`)).headers.get('location'), `${path}sub/`);
    assert.match(await (await bare(gateway, `${path}sub/`)).text(), /^Sub\n<script>/);
    const json = await bare(gateway, `${path}data.json`);
    assert.deepEqual(
      [json.headers.get('content-type'), json.headers.get('cache-control'), await json.text()],
      ['application/json; charset=utf-8', 'no-store', '{"a":1}'],
    );
    const part = await bare(gateway, `${path}data.json`, { headers: { range: 'bytes=2-3' } });
    assert.deepEqual([part.status, part.headers.get('content-range'), await part.text()], [206, 'bytes 2-3/7', 'a"']);

    await symlink('/etc/passwd', join(folder, 'passwd.txt'));
    await symlink('/etc', join(folder, 'etc'));
    await writeFile(join(workspaceOf(gateway), 'secret.txt'), 'secret');
    await link(join(workspaceOf(gateway), 'secret.txt'), join(folder, 'hard.txt'));
    for (const name of ['passwd.txt', 'etc/passwd', 'hard.txt', '..%2fsecret.txt', '.git', 'none'])
      assert.equal((await bare(gateway, path + name)).status, 404, name);
    assert.equal((await bare(gateway, path, { method: 'POST' })).status, 405);
    assert.equal((await bare(gateway, '/__clawdbot__/canvas/')).status, 401);
    assert.equal((await gateway.fetch('/__moltbot__/canvas/data.json')).status, 200);
    assert.equal((await bare(gateway, '/__clawdbot/ws')).status, 426);
    // A folder that is replaced by a link shows nothing of where it leads.
    await rename(folder, `${folder}-was`);
    await symlink('/etc', folder);
    assert.equal((await bare(gateway, `${path}passwd`)).status, 404);
  });

  it('121 tells open pages of a change, and nobody without a token', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('hello');
    const { path } = await chat.call('canvas.open', { url: '/__openclaw__/canvas/' });
    const at = `ws://127.0.0.1:${gateway.instance.port}`;
    const socket = new WebSocket(at + path.replace(/\/canvas\/$/, '/ws'), { origin: 'null' });
    const received: string[] = [];
    socket.on('message', (data) => received.push(String(data)));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    let n = 0;
    await until(async () => {
      await writeFile(join(workspaceOf(gateway), 'canvas', 'index.html'), `v${n++}`);
      return received.length > 0;
    }, 'a reload');
    assert.equal(received[0], 'reload');
    socket.close();
    for (const refused of ['/__openclaw__/cap/x.y/ws', '/__clawdbot/ws']) {
      const stranger = new WebSocket(at + refused);
      await new Promise((resolve) => stranger.once('error', resolve));
    }
  });

  it('is served on a port of its own when one is configured, with tokens alone', async () => {
    await using gateway = await startGateway({
      config: { canvasHost: { port: 0 }, gateway: { controlUi: { embedSandbox: 'trusted' } } },
    });
    await using chat = await gateway.connect();
    gateway.models.reply(
      make('a', { id: 'cv_1', html: 'Own' }),
      make('b', { id: 'cv_2', html: 'No', sandbox: 'scripts' }),
      { text: ['Ok.'] },
    );
    await chat.say('hello');
    const opened = await chat.call('canvas.open', { url: PREVIEW.url });
    assert.equal(opened.sandbox, 'allow-scripts allow-same-origin');
    assert.ok(opened.port > 0 && opened.port !== gateway.instance.port);
    const at = `http://127.0.0.1:${opened.port}`;
    const response = await fetch(at + opened.path);
    assert.equal(await response.text(), 'Own');
    assert.match(response.headers.get('content-security-policy')!, /sandbox allow-scripts allow-same-origin$/);
    // Beside the Control UI it has no origin, whatever is wished.
    assert.match((await bare(gateway, opened.path)).headers.get('content-security-policy')!, /sandbox allow-scripts$/);
    const lesser = await chat.call('canvas.open', { url: '/__openclaw__/canvas/documents/cv_2/index.html' });
    assert.deepEqual([lesser.sandbox, lesser.port], ['allow-scripts', undefined]);
    assert.equal(
      (await fetch(at + PREVIEW.url, { headers: { authorization: 'Bearer test-token-of-sufficient-length' } })).status,
      403,
    );
    for (const path of ['/', '/chat', '/healthz']) assert.equal((await fetch(at + path)).status, 404, path);
  });

  it('is not served when it is turned off', async () => {
    await using gateway = await startGateway({ config: { canvasHost: { enabled: false } } });
    const response = await gateway.fetch('/__openclaw__/canvas/');
    assert.notEqual(response.headers.get('content-security-policy')?.includes('sandbox'), true);
  });
});
