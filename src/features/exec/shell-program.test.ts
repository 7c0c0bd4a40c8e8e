// The shell a command is read by, and the environment it starts with.
import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '../../testing/temp-dir.ts';
import { createLoginPath, shellEnv, shellProgram } from './shell-program.ts';

async function programs(dir: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await writeFile(join(dir, name), '#!/bin/sh\nexec /bin/sh "$@"\n');
    await chmod(join(dir, name), 0o755);
  }
}

test('the own shell, but for fish bash, then sh; without one sh (T19)', async () => {
  await using dir = await tempDir('shells');
  const at = (name: string): string => join(dir.path, name);
  const of = (vars: Record<string, string>) => shellProgram({ PATH: dir.path, ...vars });
  await programs(dir.path, 'fish');
  assert.equal(await of({ SHELL: at('fish') }), at('fish'), 'nothing else is there');
  await programs(dir.path, 'sh');
  assert.equal(await of({ SHELL: at('fish') }), at('sh'));
  await programs(dir.path, 'bash', 'zsh');
  assert.equal(await of({ SHELL: at('fish') }), at('bash'));
  assert.equal(await of({ SHELL: at('zsh') }), at('zsh'));
  assert.equal(await of({}), at('sh'));
});

test('folders of pathPrepend come first, then those of the login shell, then PATH, each once (T12, T13)', () => {
  const env = shellEnv({
    vars: { PATH: '/usr/bin:/bin' },
    extra: {},
    pass: [],
    pathPrepend: ['/custom/bin', ' /opt/oss/bin ', 'relative'],
    loginPath: '/usr/local/bin:/usr/bin',
  });
  assert.equal(env['PATH'], '/custom/bin:/opt/oss/bin:/usr/local/bin:/usr/bin:/bin');
});

test('secrets, what is ours, and what makes a shell do more stay behind; what the model set comes along', () => {
  const vars = {
    PATH: '/bin',
    HOME: '/h',
    OPENAI_API_KEY: 'sk-1',
    CLAWDBOT_GATEWAY_TOKEN: 't',
    BASH_ENV: '/x',
    ENV: '/y',
    'BASH_FUNC_ls%%': '() { id; }',
    PS4: '$(id)',
    LANG: 'C',
  };
  assert.deepEqual(shellEnv({ vars, extra: { A: '1' }, pass: [], pathPrepend: [], loginPath: undefined }), {
    PATH: '/bin',
    HOME: '/h',
    LANG: 'C',
    A: '1',
  });
  assert.equal(
    shellEnv({ vars, extra: {}, pass: ['OPENAI_API_KEY'], pathPrepend: [], loginPath: undefined })['OPENAI_API_KEY'],
    'sk-1',
  );
});

test('the login shell is asked once, whatever its profile prints', async () => {
  await using dir = await tempDir('login');
  const shell = join(dir.path, 'shell');
  await writeFile(
    shell,
    `#!/bin/sh\necho x >> '${dir.path}/asked'\necho "Welcome!"\nPATH=/from/profile:$PATH\n. /dev/stdin ` +
      `<<EOF\n$2\nEOF\n`,
  );
  await chmod(shell, 0o755);
  const ask = createLoginPath({ SHELL: shell, PATH: '/usr/bin:/bin' });
  assert.equal(await ask(), '/from/profile:/usr/bin:/bin');
  await ask();
  assert.equal(await readFile(join(dir.path, 'asked'), 'utf8'), 'x\n');
});
