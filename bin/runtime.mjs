/**
 * Runs the installed commands under a Node new enough for them: the one running, or the one that came along as an
 * optional dependency.
 */

/** An `import` copies every export of a module, and loads the streams of files for it; an older Node knows nothing else. */
const builtin = process.getBuiltinModule ?? (await import('node:module')).createRequire(import.meta.url);
const { existsSync, readFileSync } = builtin('node:fs');
const { extname, join } = builtin('node:path');
const { fileURLToPath, pathToFileURL } = builtin('node:url');

export const NEEDED_MAJOR = 24;

/** `v24.21.0` → 24; 0 for anything else. */
export const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

export const runningIsEnough = () => majorOf(process.versions.node) >= NEEDED_MAJOR;

/**
 * Path of the binary inside `node-<os>-<arch>`, also when a global install hoisted it; undefined when it was not
 * installed.
 */
export function bundledNode() {
  const windows = process.platform === 'win32';
  const folders =
    builtin('node:module')
      .createRequire(import.meta.url)
      .resolve.paths('node') ?? [];
  return folders
    .map((folder) =>
      join(folder, `node-${windows ? 'win' : process.platform}-${process.arch}`, 'bin', windows ? 'node.exe' : 'node'),
    )
    .find((path) => existsSync(path));
}

/** What to tell somebody whose machine has no Node that is new enough. */
export const noRuntimeMessage = () =>
  `clawdbot needs Node ${NEEDED_MAJOR}; this is ${process.version} on ${process.platform}-${process.arch}, and no Node came along with the package.\n` +
  `Install it again without --omit=optional, or install Node ${NEEDED_MAJOR} or newer on this machine.`;

/**
 * An installed command: answers `--version` by itself, then runs `entry` (without its ending) as built, or from source.
 */
export async function runCommand(name, entry) {
  const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
  const args = process.argv.slice(2);
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v'))
    return console.log(JSON.parse(readFileSync(at('package.json'), 'utf8')).version);
  const built = at(`dist/${entry}.js`);
  const main = existsSync(built) ? built : at(`src/${entry}.ts`);
  // Hints name the command as it was typed: by its own name, or as a script.
  if (extname(process.argv[1]) === '') process.env.CLAWDBOT_INVOKED_AS = name;
  else delete process.env.CLAWDBOT_INVOKED_AS;
  if (!runningIsEnough()) return runUnderBundledNode(name, [main, ...args]);
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
}

/**
 * Stands between the caller and the right Node: terminal, signals and exit code pass through unchanged. `name` is what
 * complains.
 */
async function runUnderBundledNode(name, args) {
  const node = bundledNode();
  if (!node) {
    console.error(noRuntimeMessage());
    process.exit(1);
  }
  const { spawn } = builtin('node:child_process');
  const { constants } = builtin('node:os');
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches the child by itself when both share a terminal; a second one would mean "quit now".
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('error', (error) => {
    console.error(`${name}: ${node} does not run here: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
