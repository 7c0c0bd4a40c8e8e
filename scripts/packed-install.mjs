/**
 * Proves the published package: packs it, installs the tarball globally into an empty prefix with an empty HOME,
 * and under the Node that runs this script asks for version and help, reads a page, starts the gateway, waits until it
 * is ready, and talks to it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { phase, Problem, root, run, script, secondsSince, tail } from './progress.mjs';

/** Milliseconds a cold gateway may take on a busy machine before this is a failure. */
const READY_WITHIN = 30_000;

/** Milliseconds for one command, so that a registry that does not answer is a failure and not a hang. */
const COMMAND_WITHIN = 240_000;

await script(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clawdbot-packed-'));
  try {
    await prove(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function prove(folder) {
  const env = bareEnvironment(folder);
  await phase('npm pack', () => must('npm', ['pack', '--pack-destination', folder], process.env));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  // npm keeps this machine's settings (registry, certificates), which lie beside the prefix and in HOME; what it
  // installs does not see them.
  const settings = {
    npm_config_globalconfig: (
      await must('npm', ['config', 'get', 'globalconfig', '--loglevel=error'], process.env)
    ).trim(),
    npm_config_prefix: join(folder, 'prefix'),
    npm_config_fetch_retries: '1',
  };
  await phase('npm install -g, into an empty prefix', () =>
    must('npm', ['install', '-g', '--no-audit', '--no-fund', join(folder, tarball)], {
      ...env,
      HOME: process.env.HOME,
      ...settings,
    }),
  );

  const command = join(folder, 'prefix/bin/clawdbot');
  if (!existsSync(command)) throw new Problem(`npm installed no ${command}`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const printed = (await must(command, ['--version'], env)).trim();
  if (printed !== version) throw new Problem(`clawdbot --version printed "${printed}", not ${version}`);
  if (!(await must(command, ['--help'], env)).includes('gateway run'))
    throw new Problem('clawdbot --help does not list `gateway run`');
  const reader = join(folder, 'prefix/bin/link-understand');
  if (
    (await must(reader, ['--version'], env)).trim() !== version ||
    !(await must(reader, ['--help'], env)).includes('--url')
  )
    throw new Problem('link-understand does not run as installed');
  await phase('link-understand reads a page in its document thread', () => readPage(reader, env));
  await phase(`gateway of ${version} under ${process.version}: start, /readyz, stop`, () =>
    startAndStop(command, env, folder),
  );
}

/** The page is of this machine, which the address guard opens for this call alone. */
async function readPage(reader, env) {
  const server = createHttpServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Lift</title><p>It is stuck.</p>'),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${server.address().port}/`;
    const rules = { CLAWDBOT_FETCH_RULES: '{"allowRanges":["127.0.0.0/8"]}' };
    const printed = await must(reader, ['--url', url], { ...env, ...rules });
    if (!printed.includes('It is stuck.')) throw new Problem(`link-understand read a page as:\n${tail(printed)}`);
  } finally {
    server.close();
  }
}

async function startAndStop(command, env, folder) {
  const port = await freePort();
  const start = performance.now();
  const gateway = spawn(command, ['gateway', 'run', '--port', String(port)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [gateway.stdout, gateway.stderr]) stream.on('data', (text) => (output += text));
  const ended = new Promise((resolve) => gateway.on('exit', (code, signal) => resolve(signal ?? code)));
  try {
    while (!(await isReady(port))) {
      if (gateway.exitCode !== null)
        throw new Problem(`The gateway ended with code ${gateway.exitCode}:\n${tail(output)}`);
      if (performance.now() - start > READY_WITHIN)
        throw new Problem(`The gateway was not ready within ${READY_WITHIN / 1000} s:\n${tail(output)}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    console.log(`  ready after ${secondsSince(start)}`);
    if (!existsSync(join(env.HOME, '.clawdbot'))) throw new Problem('The gateway made no state directory under HOME');
    const page = await fetch(`http://127.0.0.1:${port}/`);
    if (!page.ok || !(await page.text()).includes('<html'))
      throw new Problem(`The Control UI answers ${page.status} without a page`);
    const said = await must(command, ['agent', '--message', 'What is 17 + 4?'], env);
    if (said.trim() === '') throw new Problem('The gateway answered a message with nothing');
    console.log(`  the embedded model said: ${said.trim().slice(0, 60)}`);
    await offersEveryTool(command, env);
  } finally {
    gateway.kill('SIGTERM');
  }
  const how = await ended;
  if (how !== 0) throw new Problem(`The gateway ended with ${how} after SIGTERM, not with 0:\n${tail(output)}`);
}

/** Each tool is found by its folder: one that the joined modules left out would be missing without a word. */
async function offersEveryTool(command, env) {
  const owners = ['src/features', 'src/channels'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => join(root, kind, name, 'tools')),
  );
  const parents = [join(root, 'src/tools'), ...owners.filter((path) => existsSync(path))];
  const wanted = parents.flatMap((parent) =>
    readdirSync(parent).filter((name) => existsSync(join(parent, name, 'index.ts'))),
  );
  const { groups } = JSON.parse(await must(command, ['gateway', 'call', 'tools.catalog'], env));
  const offered = new Set(groups.flatMap(({ tools }) => tools.map(({ id }) => id)));
  const missing = wanted.filter((name) => !offered.has(name));
  if (missing.length > 0)
    throw new Problem(`The installed gateway lacks tools that the sources have: ${missing.join(', ')}`);
  console.log(`  ${wanted.length} tools`);
}

async function isReady(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch (error) {
    if (error.cause?.code === 'ECONNREFUSED') return false;
    throw error;
  }
}

/** Nothing of this checkout or this user: no bundled Node on PATH, nothing from `npm run`, an empty HOME. */
function bareEnvironment(folder) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|CLAWDBOT_|OPENCLAW_|NODE_(OPTIONS|ENV|TEST))/i.test(name),
  );
  const path = process.env.PATH.split(delimiter).filter((entry) => !entry.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), ...path].join(delimiter),
    HOME: join(folder, 'home'),
  };
}

async function must(command, args, env) {
  const { code, output } = await run(command, args, { env, timeout: COMMAND_WITHIN });
  if (code !== 0) throw new Problem(`${command} ${args.join(' ')} ended with ${code}:\n${tail(output)}`);
  return output;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
