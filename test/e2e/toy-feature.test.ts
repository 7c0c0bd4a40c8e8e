/**
 * The feature contract: a feature with one of everything, outside the product, works in a running gateway without
 * changes to the product; a broken feature harms only itself.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { compileCache } from '../../src/testing/compile-cache.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { writeToy } from './toy-feature.ts';

const TOKEN = 'test-token-of-sufficient-length';
const run = promisify(execFile);

async function withPlugins(paths: readonly string[], entries: object = {}): Promise<RunningGateway> {
  return startGateway({ config: { plugins: { load: { paths }, entries } } });
}

/** What the log says of broken plugins. */
async function broken(gateway: RunningGateway): Promise<readonly string[]> {
  const status = await (await gateway.connect()).call<{ lines: string[] }>('logs.tail', { limit: 500 });
  return status.lines.filter((line) => line.includes('plugin.broken'));
}

describe('a feature in a folder outside the product', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let toy: string;
  let gateway: RunningGateway;
  before(async () => {
    dir = await tempDir('toy');
    toy = await writeToy(join(dir.path, 'toy'));
    gateway = await withPlugins([toy], { toy: { config: { turns: 5 } } });
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    await dir[Symbol.asyncDispose]();
  });

  it('has a method, an event and a setting', async () => {
    await using chat = await gateway.connect();
    const heard = chat.event(({ event }) => event === 'toy.wound');
    assert.deepEqual(await chat.client.call('toy.wind', { by: 'Ann' }), { by: 'Ann', turns: 5 });
    assert.deepEqual((await heard).payload, { by: 'Ann' });
    await assert.rejects(chat.client.call('toy.wind', { by: 1 }), /by/);
  });

  it('began its job when the gateway started', async () => {
    await using chat = await gateway.connect();
    assert.deepEqual(await chat.client.call('toy.started'), { started: true });
  });

  it('is told in the prompt, and its tool is run', async () => {
    await using chat = await gateway.connect();
    gateway.models.reply({ calls: [{ id: 'c1', name: 'wind_toy', args: { name: 'The bear' } }] }, { text: ['done'] });
    assert.equal(await chat.say('wind it up'), 'done');
    const [asked, answered] = gateway.models.requests.slice(-2);
    assert.match(JSON.stringify(asked!.body), /A toy turns 5 times\./);
    assert.match(JSON.stringify(answered!.body), /The bear is wound up/);
  });

  it('serves HTTP behind a token', async () => {
    const answer = await gateway.fetch('/plugins/toy/turns');
    assert.deepEqual([answer.status, await answer.json()], [200, { turns: 5 }]);
    assert.equal((await gateway.fetch('/plugins/toy/turns', { headers: { authorization: 'Bearer no' } })).status, 401);
  });

  it('takes over connections behind a token', async () => {
    const at = `ws://127.0.0.1:${gateway.instance.port}/plugins/toy/live`;
    const socket = new WebSocket(at, { headers: { authorization: `Bearer ${TOKEN}` } });
    const [said] = (await once(socket, 'message')) as [Buffer];
    assert.equal(said.toString(), 'turning 5');
    socket.terminate();
    const [refusal] = (await once(new WebSocket(at), 'error')) as [Error];
    assert.match(refusal.message, /401/);
  });

  it('has a command line, and takes no command of the product', async () => {
    const clawdbot = (...args: string[]) =>
      run(process.execPath, ['src/main.ts', ...args], {
        env: {
          ...compileCache,
          PATH: process.env['PATH'],
          HOME: join(gateway.stateDir, '..'),
          CLAWDBOT_STATE_DIR: gateway.stateDir,
          CLAWDBOT_GATEWAY_PORT: String(gateway.instance.port),
          CLAWDBOT_GATEWAY_TOKEN: TOKEN,
        },
      });
    const { stdout } = await clawdbot('toy', 'wind', 'Bob');
    assert.equal(stdout, 'Bob made it turn 5 times\n');
    const help = await clawdbot('--help');
    assert.match(help.stdout, /toy wind/);
    assert.match(help.stderr, /The command "status" of the plugin .*toy is ignored: its name must begin with "toy"/);
  });

  it('adds a page: named in the document, its files served, nothing inline', async () => {
    const document = await (await gateway.fetch('/')).text();
    assert.match(
      document,
      /<meta name="clawdbot-pages" content="\[\{&quot;id&quot;:&quot;toy&quot;,&quot;title&quot;:&quot;Toys&quot;/,
    );
    const script = await gateway.fetch('/pages/toy/index.js');
    assert.deepEqual(
      [script.status, script.headers.get('content-type'), await script.text()],
      [200, 'text/javascript; charset=utf-8', await readFile(join(toy, 'page', 'index.js'), 'utf8')],
    );
    assert.match(script.headers.get('content-security-policy')!, /script-src 'self';/);
    for (const path of ['index.mjs', '..%2Findex.mjs', '%2e%2e/index.mjs'])
      assert.notEqual((await gateway.fetch(`/pages/toy/${path}`)).status, 200, path);
  });

  it('leaves nothing to say', async () => assert.deepEqual(await broken(gateway), []));
});

/** What stands in the toy → what replaces it, and what the log then says beside its name and path. */
const SPOILT: readonly (readonly [what: string, stands: string, spoilt: string, said: RegExp])[] = [
  [
    'throws when loaded',
    'const sockets =',
    "throw new Error('no clay');\nconst sockets =",
    /could not be loaded: no clay/,
  ],
  [
    'throws when created',
    'const state = {',
    "throw new Error('no spring');\nconst state = {",
    /no spring.*Fix the plugin/,
  ],
  ['is called otherwise than its folder', "id: 'toy'", "id: 'top'", /methods\.toy\.wind: must begin with \\"top\.\\"/],
  [
    'wakes agents',
    'methods: {\n        ',
    'waker: {}, methods: {\n        ',
    /what \\"create\\" returns.*Unrecognized key: \\"waker\\"/,
  ],
  ['adds settings at the top', "id: 'toy',", "id: 'toy', config: [],", /Unrecognized key: \\"config\\"/],
  ['has a method without work', "'toy.started': () => state,", '', /the method toy\.started has no handler/],
  [
    'serves a path of the product',
    "'/plugins/toy/turns':",
    "'/health':",
    /it may not serve \/health\. Serve \/plugins\/toy/,
  ],
  ['does not say who may call', "needs: 'operator.read',\n        at:", 'at:', /what \\"http\\" returns.*needs/],
  ['tells an endless prompt', "' times.'", "' times.'.repeat(1000)", /must be a text of at most 4000 characters/],
];

describe('a feature that is wrong is left out with one line, and the gateway goes on', () => {
  for (const [what, stands, spoilt, said] of SPOILT)
    it(what, async () => {
      await using dir = await tempDir('spoilt');
      const toy = await writeToy(join(dir.path, 'toy'), (index) => index.replace(stands, spoilt));
      await using gateway = await withPlugins([toy]);
      await using chat = await gateway.connect();
      assert.equal(await chat.say('hello'), 'ok');
      const lines = await broken(gateway);
      assert.match(lines.join('\n'), said);
      for (const line of lines) assert.ok(line.includes(toy), line);
    });

  it("has the name of a feature of the product, or of the gateway's methods", async () => {
    await using dir = await tempDir('named');
    const renamed = (id: string) =>
      writeToy(join(dir.path, id), (index) => index.replace("id: 'toy'", `id: '${id}'`).replaceAll("'toy.", `'${id}.`));
    await using gateway = await withPlugins([await renamed('heartbeat'), await renamed('chat')]);
    await using chat = await gateway.connect();
    assert.equal(await chat.say('hello'), 'ok');
    const lines = (await broken(gateway)).join('\n');
    assert.match(
      lines,
      /feature \\"heartbeat\\" of the plugin heartbeat is ignored: the product itself already uses that name/,
    );
    assert.match(lines, /the gateway has methods or events that begin with \\"chat\\"/);
  });

  it('has the name of another: both places are told, and the first one works', async () => {
    await using dir = await tempDir('twice');
    const [one, other] = [await writeToy(join(dir.path, 'a', 'toy')), await writeToy(join(dir.path, 'b', 'toy'))];
    await using gateway = await withPlugins([one, other]);
    await using chat = await gateway.connect();
    assert.deepEqual(await chat.client.call('toy.started'), { started: true });
    const [line = ''] = await broken(gateway);
    assert.ok(line.includes(one) && line.includes(other), line);
  });

  it('is set to what it does not know: the setting is named', async () => {
    await using dir = await tempDir('unset');
    const toy = await writeToy(join(dir.path, 'toy'));
    await using gateway = await withPlugins([toy], { toy: { config: { turns: 'many' } } });
    await using chat = await gateway.connect();
    assert.equal(await chat.say('hello'), 'ok');
    assert.match(
      (await broken(gateway)).join('\n'),
      /plugins\.entries\.toy\.config\.turns is not valid for the plugin/,
    );
  });
});
