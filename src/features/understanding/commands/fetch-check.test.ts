import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '../../../testing/temp-dir.ts';
import { fakeTerminal } from '../../../cli/fake.ts';
import { fetchCheck } from './fetch-check.ts';

const ANSWERS: Record<string, string[]> = {
  'example.com': ['93.184.216.34'],
  'wiki.corp.example': ['10.0.0.8'],
  'mixed.example': ['93.184.216.34', '192.168.1.1'],
};
const resolve = async (name: string) => (ANSWERS[name] ?? []).map((address) => ({ address, family: 4 as const }));

async function check(
  t: TestContext,
  target: string,
  { config = {}, json = false, vars = {} }: { config?: unknown; json?: boolean; vars?: Record<string, string> } = {},
) {
  const dir = await tempDir();
  t.after(() => dir[Symbol.asyncDispose]());
  await mkdir(join(dir.path, '.clawdbot'), { mode: 0o700 });
  await writeFile(join(dir.path, '.clawdbot/clawdbot.json'), JSON.stringify(config), { mode: 0o600 });
  const io = fakeTerminal({ vars: { HOME: dir.path, ...vars } });
  const flags = {
    has: (name: string) => name === 'json' && json,
    text: () => undefined,
    number: () => undefined,
    list: () => [],
  };
  const code = await fetchCheck(
    { args: [target], flags, io, gateway: () => Promise.reject(new Error('not needed')) },
    resolve,
  );
  return { code, out: io.lines.join('\n'), err: io.errors.join('\n') };
}

test('fetch check names each step of a public address', async (t) => {
  const { code, out } = await check(t, 'example.com');
  assert.equal(code, 0);
  assert.match(
    out,
    /^url\s+https:\/\/example\.com\s+ok\nhost\s+example\.com\s+ok\naddress\s+93\.184\.216\.34\s+ok\n\nAllowed: the gateway would fetch it\.$/,
  );
});

test('fetch check refuses with exit code 1 and says which answer decided', async (t) => {
  const { code, out } = await check(t, 'http://mixed.example/path');
  assert.equal(code, 1);
  assert.match(out, /Blocked: mixed\.example resolves to 192\.168\.1\.1, which is private \(192\.168\.0\.0\/16\)\.$/);
  for (const target of [
    'localhost',
    '::1',
    '[::1]:8080',
    '2130706433',
    'http://u:p@example.com/',
    'ftp://example.com',
    'nowhere.example',
    'not a url',
  ]) {
    assert.equal((await check(t, target)).code, 1, target);
  }
});

test('fetch check names the setting that made it pass', async (t) => {
  const { code, out } = await check(t, 'wiki.corp.example', {
    config: { security: { fetch: { allowHosts: ['*.corp.example'] } } },
  });
  assert.equal(code, 0);
  assert.match(out, /10\.0\.0\.8\s+ok, because of security\.fetch\.allowHosts \*\.corp\.example/);
});

test('fetch check --json is the whole check, with the proxy but not its password', async (t) => {
  const { code, out } = await check(t, 'https://example.com/', {
    json: true,
    vars: { HTTPS_PROXY: 'http://me:hidden@proxy.example:3128' },
  });
  assert.equal(code, 0);
  const { ok, steps, proxy } = JSON.parse(out);
  assert.deepEqual([ok, steps.length, proxy], [true, 3, 'proxy.example:3128']);
  assert.doesNotMatch(out, /hidden/);
});
