/**
 * A feature is removed by deleting its folder: the tree without it passes every check, starts and answers. Tests and
 * test helpers that import from the folder are removed with it, and so are helpers that only those used. Links from
 * written pages to its pages become plain text, and libraries that only it used are dropped. Each takes minutes of CPU
 * time, so it is one of the long tests; to run one: `--test-name-pattern='without cron'`.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

const helpsTests = (path: string): boolean =>
  /^test\/|^ui\/dev\/|\.test\.ts$|^src\/testing\/|\/(?:fake[^/]*|harness)\.ts$/.test(path);

/** Paths of ours that a file imports, from the root. */
const importsOf = (path: string): readonly string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?:\bfrom|\bimport\()\s*'(\.[^']+)'/g)].map(([, to]) =>
    join(dirname(path), to!),
  );

/** What is left of these files without the folder. */
function without(folder: string, files: readonly string[]): readonly string[] {
  const helpers = files
    .filter((path) => path.endsWith('.ts') && helpsTests(path))
    .map((path) => [path, importsOf(path)] as const);
  const gone = new Set<string>(files.filter((path) => path.startsWith(folder)));
  for (let before = -1; before < gone.size; ) {
    before = gone.size;
    for (const [path, imports] of helpers) {
      const users = helpers.filter(([, theirs]) => theirs.includes(path));
      const isLeftOver = users.length > 0 && users.every(([user]) => gone.has(user));
      if (isLeftOver || imports.some((to) => gone.has(to) || to.startsWith(folder))) gone.add(path);
    }
  }
  return files.filter((path) => !gone.has(path));
}

/** What git knows of, without the feature; the tools and libraries are those of this checkout. */
async function copyWithout(folder: string, to: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = without(
    folder,
    stdout.split('\0').filter((path) => path !== ''),
  );
  for (const inside of new Set(files.map(dirname))) await mkdir(join(to, inside), { recursive: true });
  for (const path of files) await cp(join(ROOT, path), join(to, path), { force: true });
  await symlink(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

/** Libraries that only the feature used. */
async function dropLibraries(folder: string, tree: string): Promise<void> {
  const path = join(tree, 'package.json');
  const written = JSON.parse(await readFile(path, 'utf8')) as { dependencies: Record<string, string> };
  const uses = (cwd: string, pattern: string, name: string): boolean =>
    globSync(pattern, { cwd }).some((file) => readFileSync(join(cwd, file), 'utf8').includes(`'${name}`));
  for (const name of Object.keys(written.dependencies))
    if (uses(ROOT, `${folder}**/*.ts`, name) && !uses(tree, 'src/**/*.ts', name)) delete written.dependencies[name];
  await writeFile(path, `${JSON.stringify(written, undefined, 2)}\n`);
}

const LINK = /\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g;

/** Links to pages that were made from what is in the folder become plain text, also in the README a page is made from. */
async function unlinkPages(tree: string): Promise<void> {
  for (const page of globSync('docs/**/*.md', { cwd: tree })) {
    const unlinked = (text: string): string =>
      text.replace(LINK, (link, words: string, to: string) =>
        existsSync(join(tree, dirname(page), to)) ? link : words,
      );
    const text = await readFile(join(tree, page), 'utf8');
    if (unlinked(text) === text) continue;
    const source = /<!-- Made from `([^`*]+)`/.exec(text)?.[1];
    for (const path of [page, ...(source && existsSync(join(tree, source)) ? [source] : [])])
      await writeFile(join(tree, path), unlinked(await readFile(join(tree, path), 'utf8')));
  }
}

for (const feature of globSync('src/features/*/', { cwd: ROOT })
  .map((path) => basename(path))
  .sort())
  test(`without ${feature} the tree passes npm run check, starts and answers`, { timeout: 1_800_000 }, async () => {
    await using dir = await tempDir('removed');
    const tree = join(dir.path, 'tree');
    const env = { PATH: process.env['PATH'], HOME: dir.path, CLAWDBOT_STATE_DIR: join(dir.path, 'state') };
    const node = (...args: string[]) => run(process.execPath, args, { cwd: tree, env, maxBuffer: 64 * 1024 * 1024 });
    await copyWithout(`src/features/${feature}/`, tree);
    for (const script of ['reference', 'docs-pages']) await node(`scripts/${script}.mjs`);
    await unlinkPages(tree);
    await dropLibraries(`src/features/${feature}/`, tree);
    const checked = await node('scripts/check.mjs').catch((error: { stdout: string }) => error);
    assert.match(checked.stdout, /All checks passed/);

    const gateway = spawn(process.execPath, ['src/main.ts', 'gateway', 'run', '--port', '0'], {
      cwd: tree,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let said = '';
      gateway.stdout.setEncoding('utf8').on('data', (text: string) => void (said += text));
      const port = await until(() => /web chat: http:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1], 'the gateway');
      const main = (...args: string[]) =>
        run(process.execPath, ['src/main.ts', ...args], { cwd: tree, env: { ...env, CLAWDBOT_GATEWAY_PORT: port } });
      assert.match((await main('agent', 'hello')).stdout, /\w/);
      if (feature === 'heartbeat') await assert.rejects(main('system', 'heartbeat', 'last'), { code: 2 });
    } finally {
      gateway.kill('SIGKILL');
    }
  });
