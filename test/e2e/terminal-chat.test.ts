/** `clawdbot chat` on a real pseudo terminal of util-linux, against a whole gateway: stream, tools, approval, Esc, end. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { test } from 'node:test';
import { built } from '../../src/testing/built.ts';
import { compileCache } from '../../src/testing/compile-cache.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';

const SCRIPT = '/usr/bin/script';
const skip = existsSync(SCRIPT) ? false : 'no script of util-linux here; install it with: apt-get install bsdutils';
const TOKEN = 'test-token-of-sufficient-length';

test('on a terminal: words stream, a command is approved there, Esc stops, nothing outside steers it', {
  skip,
}, async () => {
  await using home = await tempDir('terminal');
  await using gateway = await startGateway({
    config: { tools: { exec: { host: 'gateway', security: 'allowlist', ask: 'always' } } },
  });
  const { PATH = '' } = process.env;
  const command = [process.execPath, built('src/main.ts'), 'chat', '--url', `ws://127.0.0.1:${gateway.instance.port}`]
    .concat('--token', TOKEN)
    .join(' ');
  const person = spawn(SCRIPT, ['-qfec', command, '/dev/null'], {
    env: { ...compileCache, PATH, HOME: home.path, TERM: 'xterm-256color', CLAWDBOT_STATE_DIR: home.path },
  });
  let seen = '';
  person.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text));
  const appears = (wanted: RegExp): Promise<unknown> =>
    until(() => wanted.test(seen), `${wanted} in the terminal; there is ${JSON.stringify(seen.slice(-400))}`);
  /** Says it, and looks only at what comes from now on. */
  const type = (keys: string): void => {
    seen = '';
    person.stdin.write(keys);
  };
  await appears(/Connected to ws:[^]*\/sessions \[words\][^]*> /);

  gateway.models.reply({ text: ['All ', 'fine.\u001b]0;owned\u0007'] });
  type('how are you\r');
  await appears(/All fine\.⟨U\+001B⟩\]0;owned⟨U\+0007⟩/);

  gateway.models.reply(
    { calls: [{ id: 'c1', name: 'bash', args: { command: 'echo approved-here' } }] },
    { text: ['Done.'] },
  );
  type('run it\r');
  await appears(/→ bash echo approved-here[^]*\[d\]eny/);
  type('once\r');
  await appears(/✓ bash[^]*Done\./);

  gateway.models.reply({ hang: true, text: ['and so on'] });
  type('tell me everything\r');
  await appears(/and so on/);
  type('\u001b');
  await appears(/\[stopped\]/);

  type('/history 2\r');
  await appears(/you: /);
  type('/quit\r');
  const [code] = await once(person, 'exit');
  assert.equal(code, 0);
  assert.ok(!seen.includes('\u001b]0;'), "the title of the window is the person's");
});
