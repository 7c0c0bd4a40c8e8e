// A guessable gateway secret is refused if others can reach the gateway: at the start, after an edit, and from the
// environment.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { connectGateway } from '../../../src/gateway/client.ts';
import { fakeTerminal } from '../../../src/cli/fake.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { startGateway } from '../../../src/testing/running-gateway.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';

const [SHORT, LONG] = ['guess-me-if-you-can', 'a-token-of-forty-characters-or-thereabouts'];
/** Each would let others connect; none is opened here with a secret that is long enough. */
const OPEN: readonly object[] = [
  { bind: 'lan' },
  { bind: 'tailnet' },
  { bind: 'custom', customBindHost: '0.0.0.0' },
  { bind: 'custom', customBindHost: '192.0.2.1' },
  { trustedProxies: ['192.0.2.9'] },
];
const CLOSED: readonly object[] = [
  {},
  { bind: 'auto' },
  { bind: 'custom', customBindHost: '127.0.0.1' },
  { bind: 'loopback', trustedProxies: [] },
];

describe('secrets that could be guessed', () => {
  for (const gateway of OPEN) {
    it(`open no gateway that others reach: ${JSON.stringify(gateway)}`, async () => {
      await assert.rejects(startGateway({ config: { gateway }, token: SHORT }), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'invalid');
        assert.match(
          error.message,
          /19 characters; it needs 24\. Remove it with `clawdbot config unset gateway\.auth\.token`/,
        );
        assert.ok(!error.message.includes(SHORT));
        return true;
      });
    });

    it(`are no better for standing in the file that opens it: ${JSON.stringify(gateway)}`, async () => {
      for (const [auth, least] of [
        [{ token: SHORT }, 24],
        [{ mode: 'password', password: 'eleven-char' }, 12],
      ] as const)
        await assert.rejects(startGateway({ config: { gateway: { ...gateway, auth } }, token: LONG }), {
          code: 'invalid',
          message: new RegExp(
            `^gateway\\.auth\\.(?:token|password) is too short .*needs ${least}\\. .*\`clawdbot config`,
          ),
        });
    });
  }

  for (const gateway of CLOSED) {
    it(`are warned about where nobody else can connect: ${JSON.stringify(gateway)}`, async () => {
      await using running = await startGateway({
        config: { gateway: { ...gateway, auth: { token: SHORT } } },
        token: SHORT,
      });
      assert.equal((await running.fetch('/healthz')).status, 200);
      assert.equal(running.instance.config.snapshot().valid, true);
      await running.instance.close('test', { graceMs: 0 });
      const [log] = await logLines(running.stateDir);
      assert.match(log!, /gateway\.secret\.short/);
      assert.ok(!log!.includes(SHORT));
    });
  }

  it('an edit that would open the gateway changes nothing, whoever makes it', async () => {
    await using running = await startGateway({ config: { gateway: { auth: { token: SHORT } } }, token: SHORT });
    await using client = await connectGateway({ url: `ws://127.0.0.1:${running.instance.port}`, token: SHORT });
    const { hash } = await client.call<{ hash: string }>('config.get');
    for (const raw of ['{ gateway: { bind: "lan" } }', '{ gateway: { trustedProxies: ["192.0.2.9"] } }'])
      await assert.rejects(client.call('config.patch', { raw, baseHash: hash }), /needs 24/);
    const file = join(running.stateDir, 'clawdbot.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"gateway":{', '"gateway":{"bind":"lan",'));
    assert.equal((await running.instance.config.reload()).valid, false);
    assert.equal(running.instance.config.current().gateway.bind, 'loopback');
    assert.equal(await Promise.race([running.instance.stopRequest, Promise.resolve('runs')]), 'runs');
  });

  it('the environment and the command line are judged with the file: an edit that goes together with neither changes nothing', async () => {
    await using running = await startGateway({ config: {}, token: SHORT });
    await running.writeConfig({ gateway: { bind: 'lan' } });
    const { valid, issues } = await running.instance.config.reload();
    assert.deepEqual([valid, issues.map(({ path }) => path)], [false, ['gateway.auth.token']]);
  });

  it('that of hooks is one: it opens no hooks that others reach', async () => {
    const hooks = { enabled: true, token: 'sixteen-letters!' };
    await assert.rejects(startGateway({ config: { gateway: { trustedProxies: ['192.0.2.9'] }, hooks }, token: LONG }), {
      code: 'invalid',
      message: /^hooks\.token is too short .*needs 24.*config set hooks\.token/,
    });
    await using running = await startGateway({ config: { hooks }, token: LONG });
    assert.equal(running.instance.config.snapshot().valid, true);
  });

  it('a restart runs on the last good file', async () => {
    await using running = await startGateway({ config: { session: { dmScope: 'main' } }, token: LONG });
    await running.writeConfig({ gateway: { bind: 'lan', auth: { token: SHORT } } });
    await running.restart();
    const { source, config } = running.instance.config.snapshot();
    assert.deepEqual([source, config.gateway.bind], ['last-good', 'loopback']);
  });

  it('long ones open it', async () => {
    for (const auth of [{ token: LONG }, { mode: 'password', password: 'twelve-chars' }, {}]) {
      await using running = await startGateway({
        config: { gateway: { trustedProxies: ['192.0.2.9'], auth } },
        token: LONG,
      });
      assert.deepEqual(
        [running.instance.config.snapshot().valid, running.instance.config.current().gateway.trustedProxies],
        [true, ['192.0.2.9']],
      );
    }
  });

  it('doctor and security audit tell them, config set refuses the step that would open', async () => {
    await using dir = await tempDir();
    const run = async (argv: readonly string[], vars: Record<string, string> = {}) => {
      const io = fakeTerminal({ vars: { HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, ...vars } });
      return { code: await runCli([...argv], io), out: io.lines.join('\n'), err: io.errors.join('\n') };
    };
    const levelOf = async (vars: Record<string, string> = {}) =>
      (JSON.parse((await run(['doctor', '--json'], vars)).out) as { name: string; level: string }[]).find(
        ({ name }) => name === 'secret',
      )?.level;
    await run(['config', 'set', 'gateway.auth.token', SHORT]);
    assert.equal(await levelOf(), 'warn');
    assert.match((await run(['security', 'audit'])).out, /^warn {2}gateway\.auth\.token: .*needs 24/m);
    const { code, err } = await run(['config', 'set', 'gateway.bind', 'lan']);
    assert.deepEqual([code, /needs 24/.test(err)], [1, true], err);
    await writeFile(
      join(dir.path, 'clawdbot.json'),
      JSON.stringify({ gateway: { bind: 'lan', auth: { token: SHORT } } }),
    );
    const audit = await run(['security', 'audit']);
    assert.deepEqual([audit.code, /^CRITICAL {2}gateway\.auth\.token: /m.test(audit.out)], [1, true], audit.out);
    assert.equal((await run(['config', 'unset', 'gateway.auth.token'])).code, 0, 'what the message says to do helps');
    assert.equal((await run(['config', 'validate'])).code, 0);
    assert.equal(await levelOf({ CLAWDBOT_GATEWAY_TOKEN: SHORT }), 'fail');
    assert.equal(await levelOf({ CLAWDBOT_GATEWAY_TOKEN: LONG }), 'ok');
  });
});

async function logLines(stateDir: string): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises');
  const names = (await readdir(join(stateDir, 'logs'))).filter((name) => name.endsWith('.log'));
  return Promise.all(names.map((name) => readFile(join(stateDir, 'logs', name), 'utf8')));
}
