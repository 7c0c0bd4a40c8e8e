/**
 * A gateway at rest loads the library of its model and nothing else: nothing of channels that nobody configured, and
 * understanding and exec only when a message needs them. Checked in a real process.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectGateway } from '../../src/gateway/client.ts';
import { startFakeModels } from '../../src/testing/fake-models/fake-model-server.ts';
import { withModel } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';

const HEAVY = [
  'linkify-it',
  'markdown-it',
  'undici',
  'ipaddr.js',
  'file-type',
  'unpdf',
  'mammoth',
  'sharp',
  'linkedom',
  '@mozilla/readability',
  'turndown',
  '@joplin/turndown-plugin-gfm',
  'yauzl',
  'postal-mime',
  'unbash',
  '@lydell/node-pty',
  'grammy',
  '@discordjs/core',
  '@discordjs/rest',
  '@discordjs/ws',
  'discord-api-types',
  '@slack/web-api',
  '@slack/socket-mode',
  'axios',
  'baileys',
  'imapflow',
  'nodemailer',
  'jose',
];
/** What a plain turn may know: settings, texts, the question whether a message needs it, and who waits for approval. */
const LIGHT =
  /(?:\/config|\/settings|\/may-hold-links|\/format|\/inert-text|\/echo|\/status-line|\/understanding\/scope|\/nothing-sent|^src\/pipeline\/understander\/create-understander|^src\/platform\/net\/(?:config|fetch\/light-(?:fetch|headers|response))|^src\/features\/exec\/(?:cli|index|configuration|setting-rules|create-exec|shell-of|lazy-shell|place|elevation|wire|output-relay|exec-services|approval-(?:methods|params)|process-(?:methods|params)|elevated|exec-settings|approvals\/(?:matrix|pending|approval-notice|waiting-commands)|processes\/exit-notices|sandbox\/(?:backend|resolve-sandbox)|tools\/.*))\.ts$/;
const PARTS =
  /^src\/(?:pipeline\/understanding\/|pipeline\/understander\/|documents\/|features\/exec\/|link-understand\/|platform\/(?:net\/|exec|process\/|worker))/;

/** Writes the address of every module to a file, a line each, as soon as it is loaded. */
const recorder = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { appendFileSync } from 'node:fs';
  registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(file)}, url + '\\n'); return next(url, context); } });`)}`;

test('a gateway that answered a plain message has loaded none of it, and with a link only what links need', async () => {
  await using home = await tempDir('idle');
  await using models = await startFakeModels();
  const [state, root, list] = [
    join(home.path, '.clawdbot'),
    join(import.meta.dirname, '..', '..'),
    join(home.path, 'loaded'),
  ];
  await mkdir(state, { mode: 0o700 });
  await writeFile(
    join(state, 'clawdbot.json'),
    JSON.stringify(
      withModel(
        {
          tools: {
            links: { models: [{ command: '/bin/echo', args: ['a page'] }] },
            media: { audio: { models: [{ provider: 'groq' }] } },
          },
        },
        models.url,
      ),
    ),
  );
  const child = spawn(
    process.execPath,
    ['--import', recorder(list), join(root, 'src', 'main.ts'), 'gateway', 'run', '--port', '0'],
    { env: { HOME: home.path, PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    let said = '';
    let found: RegExpExecArray | null = null;
    for await (const text of child.stdout.setEncoding('utf8')) {
      found = /web chat: http:\/\/127\.0\.0\.1:(\d+)\/ /.exec((said += text));
      if (found) break;
    }
    assert.ok(found, said);
    await using client = await connectGateway({
      url: `ws://127.0.0.1:${found[1]}`,
      token: readFileSync(join(state, 'gateway.token'), 'utf8').trim(),
    });
    const answered = async (
      message: string,
      runId: string,
    ): Promise<{ files: readonly string[]; packages: ReadonlySet<string> }> => {
      await client.call('chat.send', { sessionKey: 'main', message, idempotencyKey: runId });
      assert.equal((await client.call<{ status: string }>('agent.wait', { runId, timeoutMs: 60_000 })).status, 'ok');
      const urls = readFileSync(list, 'utf8').trim().split('\n');
      const packages = new Set(urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []));
      return {
        packages,
        files: urls.flatMap((url) => (url.includes('/node_modules/') ? [] : (url.split(`${root}/`)[1] ?? []))),
      };
    };
    // Nobody has written: the model's library comes by itself, so that the first answer does not wait for it.
    await until(() => readFileSync(list, 'utf8').includes('/node_modules/@ai-sdk/openai-compatible/'));
    assert.equal(models.requests.length, 0);
    const plain = await answered('hello', 'plain');
    assert.ok(
      plain.files.includes('src/pipeline/understander/create-understander.ts'),
      'the list is no list of what was loaded',
    );
    assert.deepEqual(
      HEAVY.filter((name) => plain.packages.has(name)),
      [],
    );
    assert.deepEqual(
      plain.files.filter((file) => PARTS.test(file) && !LIGHT.test(file)),
      [],
    );
    assert.deepEqual(
      plain.files.filter((file) => /^src\/providers\/(?!openai-compatible\/)/.test(file)),
      [],
      'vendors nobody chats with',
    );
    assert.deepEqual(
      plain.files.filter((file) => /^src\/channels\/(?!webchat\/)[^/]+\/(?:connect|api|inbound|send)\.ts$/.test(file)),
      [],
      'of channels that nobody configured only what describes them',
    );
    const linked = await answered('read http://8.8.8.8/page', 'linked');
    assert.match(models.requests.at(-1)!.texts.at(-1)!, /\[Link\][\s\S]*a page/);
    assert.deepEqual(
      HEAVY.filter((name) => linked.packages.has(name)),
      ['linkify-it', 'markdown-it', 'ipaddr.js'],
    );
  } finally {
    child.stdout.destroy();
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
});
