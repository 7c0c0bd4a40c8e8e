/** The gateway token: configured, found or generated, so that the gateway is never open. */
import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { gatewayConfigSchema } from './config.ts';
import { readEnv } from '../platform/env.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { gatewaySecret } from './gateway-token.ts';

const secret = (
  stateDir: string,
  { auth = {}, given, vars = {} }: { auth?: object; given?: string; vars?: Record<string, string> } = {},
) =>
  gatewaySecret({
    env: readEnv({ HOME: stateDir, CLAWDBOT_STATE_DIR: stateDir, ...vars }),
    config: gatewayConfigSchema.parse({ auth }),
    option: given,
    log: silentLog,
  });

it('prefers the command line, then the environment, then the configuration', async () => {
  await using dir = await tempDir('token');
  const auth = { token: 'from-the-configuration' };
  const vars = { CLAWDBOT_GATEWAY_TOKEN: 'from-the-environment' };
  assert.deepEqual(await secret(dir.path, { given: 'given', auth, vars }), { token: 'given', generated: false });
  assert.equal((await secret(dir.path, { auth, vars })).token, 'from-the-environment');
  assert.equal((await secret(dir.path, { auth })).token, 'from-the-configuration');
  assert.deepEqual(await readdir(dir.path), [], 'nothing was made');
});

it('is made on the first start, private, and found on the next', async () => {
  await using dir = await tempDir('token');
  const first = await secret(dir.path);
  assert.match(first.token ?? '', /^[0-9a-f]{48}$/);
  assert.equal(first.generated, true);
  assert.deepEqual(await secret(dir.path), first);
  const [file] = (await readdir(dir.path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  assert.equal((await stat(join(file!.parentPath, file!.name))).mode & 0o777, 0o600);
});

it('is another one each time where it cannot be kept', async () => {
  await using dir = await tempDir('token');
  await writeFile(join(dir.path, 'file'), '');
  const [one, two] = [await secret(join(dir.path, 'file')), await secret(join(dir.path, 'file'))];
  assert.match(one.token ?? '', /^[0-9a-f]{48}$/);
  assert.notEqual(one.token, two.token);
});

it('an empty one is none', async () => {
  await using dir = await tempDir('token');
  const found = await secret(dir.path, { given: '', vars: { CLAWDBOT_GATEWAY_TOKEN: ' ' } });
  assert.match(found.token ?? '', /^[0-9a-f]{48}$/);
});

it('with a password there is no token, made or given', async () => {
  await using dir = await tempDir('token');
  assert.deepEqual(await secret(dir.path, { auth: { mode: 'password', password: 'from-the-configuration' } }), {
    password: 'from-the-configuration',
    generated: false,
  });
});

it('takes no placeholder and no blank for a secret, and reads one without the blanks around it', async () => {
  await using dir = await tempDir('token');
  for (const word of ['undefined', 'null', ' ', 'changeme', '<your token>', 'your-token-here']) {
    assert.equal((await secret(dir.path, { auth: { token: word } })).generated, true, word);
    assert.equal((await secret(dir.path, { auth: { mode: 'password', password: word } })).password, undefined, word);
  }
  assert.equal((await secret(dir.path, { vars: { CLAWDBOT_GATEWAY_TOKEN: 'undefined' } })).generated, true);
  assert.equal((await secret(dir.path, { given: ' real-token \n' })).token, 'real-token');
});
