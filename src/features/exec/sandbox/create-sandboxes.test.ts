// The sandbox through its public interface: what is started, what a command sees, and what happens where no backend
// works.
import assert from 'node:assert/strict';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sandboxSchema } from '../config.ts';
import { silentLog } from '../../../core/log.ts';
import { findBubblewrap } from '../platform/bubblewrap.ts';
import { readEnv } from '../../../platform/env.ts';
import { sandboxFixture } from '../../../testing/sandbox-fixture.ts';
import { tempDir } from '../../../testing/temp-dir.ts';
import { createSandboxes } from './create-sandboxes.ts';
import { resolveSandbox } from './resolve-sandbox.ts';

const bubblewrap = await findBubblewrap({ path: readEnv().get('PATH') });
const skip = 'problem' in bubblewrap ? bubblewrap.problem : false;

describe('a command in a box', { skip }, () => {
  it('T33 starts in the folder it asked for, or in the root with a warning', async () => {
    await using fixture = await sandboxFixture();
    await mkdir(join(fixture.workspace, 'sub'));
    const where = async (workdir: string): Promise<string> => (await fixture.run('pwd', { workdir })).output;
    for (const inside of ['sub', '/workspace/sub', join(fixture.workspace, 'sub')])
      assert.equal(await where(inside), '/workspace/sub\n', inside);
    for (const outside of ['/etc', '..', 'link', '/workspace/../tmp', '~'])
      assert.equal(
        await where(outside),
        `Warning: the folder ${outside} is outside the sandbox; the command ran in /workspace.\n/workspace\n`,
        outside,
      );
    for (const missing of ['nowhere', 'readme'])
      assert.equal(
        await where(missing),
        `Warning: the folder ${missing} does not exist or is not a folder; the command ran in ` +
          `/workspace.\n/workspace\n`,
        missing,
      );
  });

  it('gets the variables it was given, whatever they hold, and nothing outside is started with them', async () => {
    await using fixture = await sandboxFixture();
    const env = {
      PATH: '/workspace/bin:$(touch /workspace/pwned)',
      LD_PRELOAD: '/nonexistent.so',
      QUOTES: `a'b"c\n$(id) \`id\``,
      BASH_ENV: '/dev/null',
      IFS: 'x',
      'not a name': '1',
      UID: '0',
    };
    const wrapped = await fixture.sandboxes.wrap(fixture.setting(), { shellCommand: 'true', env, pty: false });
    assert.ok(!('problem' in wrapped));
    assert.deepEqual(
      Object.keys(wrapped.env).filter((name) => !name.startsWith('SANDBOXED_')),
      ['PATH'],
    );
    assert.doesNotMatch(wrapped.env['PATH']!, /workspace/);
    assert.doesNotMatch(wrapped.argv.join(' '), /touch|nonexistent|`id`/);
    assert.deepEqual(
      wrapped.warnings.map((warning) => /"([^"]*)"/.exec(warning)![1]),
      ['not a name', 'UID'],
    );
    const { output } = await fixture.run(
      'printf "%s|%s|%s|%s\n" "${PATH%%:/usr*}" "$LD_PRELOAD" "$QUOTES" "$SANDBOXED_QUOTES"; ls /workspace/pwned',
      { env },
    );
    assert.ok(output.includes(`${env.PATH}|${env.LD_PRELOAD}|${env.QUOTES}|\n`), output);
    assert.match(output, /pwned.*No such file/);
  });

  it('ends with the code or the signal of its command', async () => {
    await using fixture = await sandboxFixture();
    assert.equal((await fixture.run('exit 3')).code, 3);
    assert.equal((await fixture.run('kill -9 $$')).code, 137);
    assert.match((await fixture.run('not-a-program')).output, /not found/);
  });

  it('never sees a state directory inside its workspace', async () => {
    await using fixture = await sandboxFixture();
    const state = join(fixture.workspace, '.clawdbot');
    await mkdir(state);
    await writeFile(join(state, 'clawdbot.json'), 'PRIVATE-TOKEN');
    const sandboxes = createSandboxes({ vars: readEnv().vars, log: silentLog, stateDir: state });
    const wrapped = await sandboxes.wrap(fixture.setting(), { shellCommand: 'true', env: {}, pty: false });
    assert.ok(!('problem' in wrapped));
    assert.ok(wrapped.argv.join(' ').includes('--tmpfs /workspace/.clawdbot --remount-ro /workspace/.clawdbot'));
    for (const agentWorkspace of [state, '/']) {
      const refused = await sandboxes.wrap(
        { ...fixture.setting(), workspace: agentWorkspace },
        { shellCommand: 'true', env: {}, pty: false },
      );
      assert.match('problem' in refused ? refused.problem : '', /choose .*folder \(agents\.defaults\.workspace\)/);
    }
  });

  it('reaches the network of the machine only where that is allowed', async () => {
    await using fixture = await sandboxFixture();
    await fixture.run('exec 5<>/dev/tcp/127.0.0.1/$TCP_PORT', { sandbox: { network: true } });
    assert.deepEqual(fixture.heard, ['tcp']);
  });

  it('explains itself without the values of variables', async () => {
    await using fixture = await sandboxFixture();
    const explained = await fixture.sandboxes.explain({
      defaults: sandboxSchema.parse({ mode: 'all', env: { TOKEN: 'PRIVATE' } }),
      agentId: 'main',
      sessionKey: 'k',
      mainKey: 'm',
      agentWorkspace: fixture.workspace,
      stateDir: fixture.stateDir,
    });
    assert.doesNotMatch(JSON.stringify(explained), /PRIVATE/);
    assert.deepEqual(
      [explained.sandboxed, explained.backend && 'name' in explained.backend && explained.backend.name],
      [true, 'bwrap'],
    );
    assert.ok(explained.mounts.some(({ path, access }) => path === '/workspace' && access === 'rw'));
  });
});

describe('without a backend', () => {
  it('nothing runs, and the reason says what to do', async () => {
    await using dir = await tempDir('no-backend');
    const [path, bin] = [await realpath(dir.path), join(dir.path, 'bin')];
    await mkdir(bin);
    const sandboxes = createSandboxes({ vars: { PATH: bin }, log: silentLog, stateDir: path });
    const question = {
      defaults: sandboxSchema.parse({ mode: 'all' }),
      agentId: 'main',
      sessionKey: 'k',
      mainKey: 'm',
      agentWorkspace: path,
      stateDir: path,
    };
    const wrapped = await sandboxes.wrap(resolveSandbox(question)!, { shellCommand: 'true', env: {}, pty: false });
    assert.match(
      'problem' in wrapped ? wrapped.problem : '',
      /nothing was run.*apt install bubblewrap.*Docker is not installed/,
    );
    // A bubblewrap the kernel does not let work; mending it needs no restart.
    await writeFile(
      join(bin, 'bwrap'),
      '#!/bin/sh\n[ "$1" = --version ] && echo "bubblewrap 0.8.0" && exit\n[ -e "${0%/*}/mended" ] && exit ' +
        '0\necho "bwrap: setting up uid map: Permission denied" >&2; exit 1\n',
      { mode: 0o755 },
    );
    const denied = await sandboxes.explain({
      ...question,
      defaults: sandboxSchema.parse({ mode: 'all', backend: 'bwrap' }),
    });
    assert.match(
      denied.backend && 'problem' in denied.backend ? denied.backend.problem : '',
      /setting up uid map: Permission denied.*(?:unprivileged_userns_clone.*AppArmor|CAP_SYS_ADMIN.*as a separate user)/,
    );
    assert.match(denied.notes.join(), /never run outside the sandbox instead/);
    await writeFile(join(bin, 'mended'), '');
    const mended = await sandboxes.explain(question);
    assert.deepEqual(mended.backend, { name: 'bwrap', version: '0.8.0' });
  });
});
