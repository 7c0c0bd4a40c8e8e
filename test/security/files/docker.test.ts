// What Docker is told, with hostile names in it: one mount of one folder, no option out of a value, and folders around the state that keep their names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxSchema } from '../../../src/config/exec-config.ts';
import { createArguments, execArguments } from '../../../src/exec/sandbox/docker/docker-arguments.ts';
import { resolveSandbox } from '../../../src/exec/sandbox/resolve-sandbox.ts';
import type { SandboxSetting } from '../../../src/exec/sandbox/sandbox-setting.ts';

const setting = (sandbox: object = {}, sessionKey = 'agent:main:main'): SandboxSetting => resolveSandbox({
  defaults: sandboxSchema.parse({ mode: 'all', backend: 'docker', workspaceAccess: 'rw', ...sandbox }), agentId: 'main', sessionKey, mainKey: 'm', agentWorkspace: '/srv/clawd', stateDir: '/srv/state',
})!;
const create = (workspace: string, hidden: readonly string[] = [], sandbox: object = {}): readonly string[] => createArguments(setting(sandbox), { user: '1000:1000', fingerprint: 'f', workspace, hidden });
const mountsOf = (args: readonly string[]): readonly string[] => args.flatMap((word, at) => (args[at - 1] === '--mount' ? [word] : []));

/** As Docker's client reads the value: one line of CSV. */
function fields(line: string): readonly string[] {
  const found = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/gy)];
  assert.equal(found.map(([whole]) => whole).join(''), line, `${JSON.stringify(line)} is one line of CSV`);
  return found.map(([, quoted, plain]) => (quoted === undefined ? plain! : quoted.replaceAll('""', '"')));
}

const HOSTILE = ['/srv/a,readonly', '/srv/a",source=/,"', '/srv/a\n--privileged', '/srv/a\r,source=/', '/srv/a b', "/srv/a'b$(id)", '/srv/"', '/srv/a,target=/etc'];

test('a path is one source of one mount, whatever is in it', (t) => {
  for (const path of HOSTILE) assert.deepEqual(mountsOf(create(path)).map(fields), [['type=bind', `source=${path}`, 'target=/workspace']], JSON.stringify(path));
  t.diagnostic(`files, docker: ${HOSTILE.length}/${HOSTILE.length} paths stay paths`);
});

test('an image is no option, and neither is a command, a variable or a session', () => {
  for (const image of ['--privileged', '-v/:/host', '--volume=/:/host', 'debian']) assert.deepEqual(create('/srv/a', [], { docker: { image } }).slice(-4), ['--', image, 'sleep', 'infinity']);
  const args = execArguments({ setting: setting({}, 'agent:main:--privileged $(id)'), shellCommand: '--privileged', env: { A: '--privileged' }, cwd: '/workspace', pty: false }, 'mark');
  assert.deepEqual(args.filter((word) => word.startsWith('--')), ['--privileged'], 'only as the text of the shell');
  assert.equal(args.at(-1), '--privileged');
});

test('folders around what is hidden keep their names', () => {
  const mounts = mountsOf(create('/srv/a', ['.config/deep/state'])).map(fields);
  assert.deepEqual(mounts.map(([type, , target]) => `${type} ${target}`), ['type=bind target=/workspace', 'type=bind target=/workspace/.config', 'type=bind target=/workspace/.config/deep', 'type=tmpfs tmpfs-size=1048576']);
  for (const mount of mountsOf(create('/srv/a', ['.config/state'], { workspaceAccess: 'ro' }))) assert.ok(fields(mount).includes('readonly'), mount);
});
