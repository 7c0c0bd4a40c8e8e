/** Swaps names with links to other places repeatedly, as a command in a sandbox can do next to the file tools. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../src/testing/temp-dir.ts';

export const SECRET = 's3cret-of-the-owner';
export const INSIDE = 'what-lies-inside';

/**
 * In the workspace `swap` is a folder or a link to the owner's, `AGENTS.md` and `HEARTBEAT.md` are files or links to
 * the owner's secret.
 */
export interface SwappedFixture extends AsyncDisposable {
  readonly root: string;
  readonly workspace: string;
  /** The owner's folder: `file.txt`, and `only-outside`. */
  readonly outside: string;
}

/** Each pair changes places: `name` and `name.other`. Ends with its parent, whose end closes the input. */
const SWAP = `
const { renameSync } = require('node:fs');
const pairs = JSON.parse(process.argv[1]);
process.stdin.on('end', () => process.exit()).resume();
// A tool may have made something of the name meanwhile; it is moved out of the way.
let made = 0;
const put = (from, to) => { for (;;) try { return renameSync(from, to); } catch { try { renameSync(to, to + '.made' + made++); } catch {} } };
const step = () => {
  for (let round = 0; round < 200; round++)
    for (const name of pairs) {
      put(name, name + '.held'); put(name + '.other', name);
      put(name, name + '.other'); put(name + '.held', name);
    }
  setImmediate(step);
};
process.stdout.write('ready');
step();
`;

export async function swappedFixture(): Promise<SwappedFixture> {
  await using stack = new AsyncDisposableStack();
  const { path: root } = stack.use(await tempDir('swapped'));
  const [workspace, outside] = [join(root, 'work'), join(root, 'owner')];
  await Promise.all(
    [join(workspace, 'swap/sub'), join(outside, 'sub')].map((folder) => mkdir(folder, { recursive: true })),
  );
  for (const name of ['file.txt', 'sub/file.txt'])
    await Promise.all([writeFile(join(outside, name), SECRET), writeFile(join(workspace, 'swap', name), INSIDE)]);
  await writeFile(join(outside, 'only-outside'), SECRET);
  await symlink(outside, join(workspace, 'swap.other'));
  for (const name of ['AGENTS.md', 'HEARTBEAT.md']) {
    await writeFile(join(workspace, name), INSIDE);
    await symlink(join(outside, 'file.txt'), join(workspace, `${name}.other`));
  }
  const pairs = ['swap', 'AGENTS.md', 'HEARTBEAT.md'].map((name) => join(workspace, name));
  const child = spawn(process.execPath, ['-e', SWAP, JSON.stringify(pairs)], { stdio: ['pipe', 'pipe', 'inherit'] });
  stack.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the swapping ended by itself');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
  await once(child.stdout, 'data');
  const held = stack.move();
  return { root, workspace, outside, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
