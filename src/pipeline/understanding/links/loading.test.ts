import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exec } from '../../../platform/exec.ts';

/** Imports the step in a process of its own, runs `script` on it, and prints what was loaded from npm. */
async function loadedBy(script: string): Promise<string> {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ resolve(specifier, context, next) { const found = next(specifier, context); const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url)?.[1]; if (name) loaded.add(name); return found; } });
    const { createLinks } = await import(${JSON.stringify(new URL('understand-links.ts', import.meta.url).href)});
    const links = createLinks({ clock: { monotonic: () => 0 } });
    const context = { runId: 'r', message: { address: { channel: 'x', chat: { kind: 'direct' } } }, route: { sessionKey: 'k' }, log: { debug() {}, info() {} } };
    ${script}
    console.log([...loaded].filter((name) => /linkify|markdown/.test(name)).sort().join(' '));`;
  const result = await exec({
    command: process.execPath,
    args: ['--input-type=module', '-e', program],
    env: { PATH: '' },
    timeoutMs: 20_000,
    maxOutputBytes: 1e6,
    signal: new AbortController().signal,
  });
  assert.deepEqual([result.kind === 'exited' && result.code, result.stderr], [0, '']);
  return result.stdout.toString().trim();
}

test('neither linkify-it nor markdown-it is loaded before there is a link to read and a command to read it', async () => {
  const [idle, used] = await Promise.all([
    loadedBy(
      `if (links.wanted('no link, http alone') || !links.wanted('see HTTPS://a.example')) process.exit(1); ` +
        `await links.run(context, 'https://a.example', undefined); await links.run(context, ` +
        `'https://a.example', { models: [{}], scope: { default: 'deny', rules: [] } });`,
    ),
    loadedBy(`await links.run(context, '\`https://a.example\`', { models: [{}] });`),
  ]);
  assert.deepEqual([idle, used], ['', 'linkify-it markdown-it']);
});
