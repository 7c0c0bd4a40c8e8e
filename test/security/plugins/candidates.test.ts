// A refused configuration change has loaded no code that it names.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { runCli } from '../../../src/cli/cli.ts';
import { fakeTerminal } from '../../../src/cli/fake.ts';
import { startGateway } from '../../../src/testing/running-gateway.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';

const call = (name: string, args: object) => ({
  calls: [{ id: `c${Math.random().toString(36).slice(2, 8)}`, name, args }],
});

it('a plugin the agent proposes is not loaded to find out whether it may', async (t) => {
  await using gateway = await startGateway();
  await using chat = await gateway.connect();
  const [evil, proof] = ['evil.mjs', 'ran'].map((name) => join(gateway.stateDir, name)) as [string, string];
  await writeFile(
    evil,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(proof)}, 'x'); export default [];`,
  );
  const { hash } = await chat.call('config.get');
  const now = JSON.parse(await readFile(join(gateway.stateDir, 'clawdbot.json'), 'utf8')) as object;
  const wanted = { plugins: { load: { paths: [evil] } }, channels: { telegram: { enabled: false } } };
  const attempts = [
    ['config.patch', wanted],
    ['config.apply', { ...now, ...wanted }],
    ['config.patch', { ...wanted, agents: { defaults: { timeoutSeconds: 77 } } }],
  ] as const;
  for (const [action, config] of attempts) {
    gateway.models.reply(call('gateway', { action, raw: JSON.stringify(config), baseHash: hash }), { text: ['no'] });
    await chat.say('try');
    assert.match(gateway.models.requests.at(-1)!.toolResults.at(-1)!.text, /plugins/, action);
    assert.equal(existsSync(proof), false, `${action} ran the plugin`);
  }
  // Whoever may change it, does: the owner's own word over the wire.
  await chat.call('config.patch', { raw: JSON.stringify(wanted), baseHash: hash });
  assert.equal(existsSync(proof), true);
  t.diagnostic(`plugins, candidates: ${attempts.length}/${attempts.length} not run`);
});

it('what was left out is told by the audit', async () => {
  await using dir = await tempDir('audit');
  const plugin = join(dir.path, 'clawd', 'evil.mjs');
  await mkdir(join(dir.path, 'clawd'));
  await writeFile(plugin, 'throw new Error("evaluated");');
  await writeFile(join(dir.path, 'clawdbot.json'), JSON.stringify({ plugins: { load: { paths: [plugin] } } }));
  const io = fakeTerminal({ vars: { HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path } });
  await runCli(['security', 'audit'], io);
  assert.match(
    io.lines.join('\n'),
    /warn {2}plugins\.load\.paths: The plugin .*evil\.mjs is not loaded: .*agents or senders can write to/,
  );
});
