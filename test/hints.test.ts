/** Commands in hints and docs work as written: they are parsed by the CLI. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ownCommands } from '../src/cli/all-commands.ts';
import { parseCommandLine } from '../src/cli/parse.ts';
import { readEnv } from '../src/platform/env.ts';
import { tempDir } from '../src/testing/temp-dir.ts';

const COMMANDS = await ownCommands();

const isProduct = (path: string): boolean => !/\.test\.ts$|\/fake[^/]*\.ts$|\/harness\.ts$|^src\/testing\//.test(path);
const sources = globSync(['src/**/*.ts', 'ui/src/**/*.ts'])
  .map((path) => path.replaceAll('\\', '/'))
  .filter(isProduct)
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const GROUPS = [
  ...new Set(COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((words) => words.split(' ')[0]!))),
];
const table = await Promise.all(
  COMMANDS.map(async (row) => ({
    ...row,
    options: { ...row.options, ...(await row.more?.(readEnv({ HOME: '/nonexistent' }))) },
  })),
);

/** Shell words, as far as pages write them; placeholders and what the code fills in count as one word. */
const words = (line: string): readonly string[] =>
  [...line.replaceAll(/\$\{[^}]*\}|\$\([^)]*\)|<[^>]*>/g, 'x').matchAll(/'[^']*'|"[^"]*"|[^\s'"]+/g)].map(([word]) =>
    word.replaceAll(/^['"]|['"]$/g, ''),
  );
const trouble = (line: string): string | undefined => {
  const parsed = parseCommandLine(words(line), table);
  return parsed.kind === 'usage' ? `${line}: ${parsed.error.problem}` : undefined;
};
const troubles = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => trouble(line) ?? []);

/** From the program's name to where the command ends: a quote, a bracket, the end of the sentence. */
const hintsIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /(?:\$\{(?:OWN|PUBLIC)_COMMAND\} |ownCommand\([`'])((?:\$\{[^}]*\}|\$\([^)]*\)|[^\\`'")}\n]|"\$\([^)]*\)")+)/g,
    ),
  ].map(([, hint]) => hint!.replace(/<\/.*$|[.,;:]?\s*$/, '').replace(/(?:, (?:in a terminal|and|or) .*|\. .*)$/, ''));

test('each hint of the code is a whole command line', (t) => {
  const hints = sources
    .flatMap(({ path, text }) => (path === 'src/cli/help.ts' ? [] : hintsIn(text)))
    .filter((hint) => /^[a-z]/.test(hint));
  assert.ok(hints.length > 60, String(hints.length));
  assert.deepEqual(troubles(hints), []);
  t.diagnostic(`${hints.length} hints`);
});

test('no text of the code takes it for granted that the command has a name of its own', () => {
  const bare = new RegExp(`clawdbot (?:${GROUPS.join('|')})\\b`);
  const found = sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        bare.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line) && !/\/\*\*.*clawdbot/.test(line)
          ? [`${path}:${index + 1}`]
          : [],
      ),
  );
  assert.deepEqual(found, []);
});

test('each command in the pages is one', (t) => {
  const pages = globSync(['docs/**/*.md', 'README.md', 'src/**/README.md']).filter((path) => !/reference/.test(path));
  const lines = pages.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
      block!.replaceAll('\\\n', ' ').split('\n'),
    ),
  );
  const commands = lines.flatMap(
    (line) => /(?:^|\| |\$\(|sudo -u \S+ )(?:clawdbot|node bin\/clawdbot\.mjs) ([^#|…]*)/.exec(line)?.[1]?.trim() ?? [],
  );
  assert.ok(commands.length > 80, String(commands.length));
  const inline = pages.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?<!`)`clawdbot ([a-z][^`\n…|]*)`/g)].map(([, line]) => line!),
  );
  assert.ok(inline.length > 80, String(inline.length));
  // A sentence may name a command without what it is given.
  const named = troubles(inline).filter((problem) => !/: Missing <\w+>/.test(problem));
  assert.deepEqual([...troubles(commands), ...named], []);
  t.diagnostic(`${commands.length + inline.length} commands`);
});

test('what is printed names the form that was used', async () => {
  await using home = await tempDir();
  const run = (script: string, cwd: string, args: readonly string[]) =>
    new Promise<string>((done) => {
      execFile(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', script, ...args],
        { cwd, env: { HOME: home.path, CLAWDBOT_GATEWAY_PORT: '9' } },
        (_error, stdout, stderr) => done(stdout + stderr),
      );
    });
  const script = resolve('src/main.ts');
  assert.match(await run('src/main.ts', '.', ['status']), /`node bin\/clawdbot\.mjs gateway run`/);
  const elsewhere = await run(script, home.path, ['statsu']);
  assert.match(elsewhere, new RegExp(`Try: node ${resolve('bin/clawdbot.mjs').replaceAll('.', '\\.')} --help`));
  const [, suggested] = /Try: node (\S+) /.exec(elsewhere)!;
  assert.match(await run(suggested!, home.path, ['--help']), /Usage: /, 'and typed as it stands it works');
});
