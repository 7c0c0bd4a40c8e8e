/** The analysis against the real shells: a plan does what they would have done, and nothing else. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { tempDir } from '../../../testing/temp-dir.ts';
import { analyse } from './analyse.ts';
import { fakeContext } from './fake.ts';
import { createMachineContext } from './machine-context.ts';
import { writePlan } from './plan.ts';

const run = promisify(execFile);
const SHELLS = ['/bin/sh', '/bin/bash'].filter((path) => existsSync(path));
const PROBE = '#!/bin/sh\n[ $# -eq 0 ] || printf "%s\\0" "$@"\nprintf "\\1"\n';
const system = { PATH: '/usr/bin:/bin' };

/** A folder with a program that prints its arguments; `line` runs a text and tells what each call of it was given. */
async function workshop() {
  const dir = await tempDir('analysis');
  const probe = `${dir.path}/probe`;
  await writeFile(probe, PROBE);
  await chmod(probe, 0o755);
  const line = async (
    shell: string,
    text: string,
    env: Record<string, string> = { ...system, PATH: `${dir.path}:${system.PATH}` },
  ) => {
    const { stdout } = await run(shell, ['-c', text], { cwd: dir.path, env, maxBuffer: 1 << 24 });
    return stdout
      .split('\u0001')
      .slice(0, -1)
      .map((call) => call.split('\0').slice(0, -1));
  };
  const fixture = (env: Record<string, string> = system) =>
    createMachineContext({
      cwd: dir.path,
      env: { ...env, PATH: `${dir.path}:${env['PATH'] ?? ''}` },
      readableRoots: [dir.path],
      closedPaths: [],
      safeBins: ['grep', 'sort', 'head'],
    });
  return { path: dir.path, probe, line, fixture, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

async function proven(text: string, fixture = fakeContext()) {
  const analysis = await analyse(text, fixture);
  assert.ok(analysis.proven, `${text}: ${analysis.proven ? '' : analysis.why.join(' ')}`);
  return analysis;
}

const anyWord = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...' \t\n\'"\\$`*?[]{}()<>|&;!#~=%^-a0/', '\r', '\u001B', 'é', '🙂', '\u200B'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
    maxLength: 12,
  })
  .filter((word) => !word.includes('\0') && !word.includes('\u0001') && word.isWellFormed());

test('a plan passes every word unchanged, in sh and bash, in any environment', async () => {
  await using shop = await workshop();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(anyWord, { maxLength: 6 }), { minLength: 1, maxLength: 12 }), async (calls) => {
      const plan = writePlan(
        calls.map((args, index) => ({
          join: index === 0 ? '' : ';',
          negated: false,
          commands: [
            {
              reads: false,
              runs: [shop.probe, ...args],
              redirects: [],
              segment: { argv: args, builtin: false, wrappers: [], harmless: false, interpreter: false },
            },
          ],
        })),
      );
      for (const shell of SHELLS)
        assert.deepEqual(
          await shop.line(shell, plan, { PATH: '/nowhere', IFS: 'ab /', CDPATH: '/', GLOBIGNORE: '*', HOME: '/' }),
          calls,
        );
    }),
    { numRuns: 25 },
  );
});

const styles: readonly ((word: string) => string)[] = [
  (word) => `'${word.replaceAll("'", "'\\''")}'`,
  (word) => `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`,
  (word) =>
    word === ''
      ? "''"
      : [...word].map((char) => (/[\w./-]/.test(char) ? char : char === '\n' ? "'\n'" : `\\${char}`)).join(''),
];
const visibleWord = fc.string({
  unit: fc.constantFrom(...' \t\n\'"\\$`*?[]{}()<>|&;!#~=%^-,.ab09/é🙂'),
  maxLength: 10,
});

test('words quoted in any style are read as the shells read them, and the plan runs the same (T46)', async () => {
  await using shop = await workshop();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(visibleWord, fc.nat(2)), { maxLength: 10 }), async (words) => {
      const args = words.map(([word]) => word);
      const text = ['probe', ...words.map(([word, style]) => styles[style]!(word))].join(' ');
      const { segments, plan } = await proven(text, shop.fixture());
      assert.deepEqual(
        segments.map(({ argv }) => argv),
        [['probe', ...args]],
      );
      for (const shell of SHELLS)
        assert.deepEqual(
          [await shop.line(shell, text), await shop.line(shell, plan, { PATH: '/nowhere' })],
          [[args], [args]],
        );
    }),
    { numRuns: 25 },
  );
});

/** Literal, but easily misread. */
const TRICKY: readonly string[] = [
  'a',
  "'a'",
  '"a"',
  "''",
  '""',
  "a''b",
  'a""b',
  "'a b'",
  '"a  b"',
  'a\\ b',
  'a\\\nb',
  '"a\\\nb"',
  "'a\\\nb'",
  '\\\n a',
  '"\\$x"',
  '"\\`id\\`"',
  '"\\\\"',
  '"\\n"',
  '"\\a\\"b"',
  "'\\'",
  "'$x'",
  "'`id`'",
  "'$(id)'",
  '\\$x',
  '\\\\',
  "\\'",
  '\\"',
  'a#b',
  "'#' a",
  'a # b',
  '--x=y',
  'a=b',
  '-',
  '--',
  '!',
  'a!b',
  'a~',
  'HEAD~1',
  'HEAD^',
  '{}',
  'a{b',
  '}',
  ']',
  'a\\*b',
  "'*'",
  '"?"',
  '\\[a]',
  "'{a,b}'",
  '\\{a,b}',
  '{a\\,b}',
  "'~'",
  '\\~',
  'é',
  '🙂',
  '%s',
  '^',
  '@',
  'a:b',
  'a,b',
  '+1',
  '\ta\t',
  'a;',
  "'\n'",
  '"a\nb"',
  'a 2>&1',
  'a 2>/dev/null b',
  'if',
  'a then',
  "'if' fi",
];

test('what the analysis says a program is given is what bash gives it', {
  skip: !existsSync('/bin/bash') && 'there is no bash',
}, async (t) => {
  await using shop = await workshop();
  let same = 0;
  for (const tricky of TRICKY) {
    const text = `probe ${tricky}`;
    const { segments, plan } = await proven(text, shop.fixture());
    const said = segments.map(({ argv }) => argv.slice(1));
    assert.deepEqual(await shop.line('/bin/bash', text), said, text);
    for (const shell of SHELLS) assert.deepEqual(await shop.line(shell, plan, { PATH: '/nowhere' }), said, plan);
    same += 1;
  }
  t.diagnostic(`against bash: ${same}/${TRICKY.length} tricky words read alike`);
});

test('lists, pipes and negations keep their meaning in the plan (T43, T44)', async () => {
  await using shop = await workshop();
  await writeFile(`${shop.path}/n.txt`, 'b\na\nb\n');
  await mkdir(`${shop.path}/in ner`);
  const lines = [
    'sort n.txt | uniq -c | head -1',
    'false && probe a || probe b',
    '! false && probe c',
    '! grep -q z n.txt; probe d',
    'cd "in ner" && pwd && probe e',
    'grep -c b < /dev/null; probe f',
    'ls nothing 2>/dev/null || probe g',
    'ls nothing &>/dev/null || probe h',
    'set -e; probe i',
    'test -d "in ner" && [ -f n.txt ] && printf "%s\\n" x y',
    'probe 1; probe 2 && probe 3\nprobe 4',
  ];
  for (const text of lines) {
    const { plan } = await proven(text, shop.fixture());
    for (const shell of SHELLS)
      assert.deepEqual(await shop.line(shell, plan, { PATH: '/nowhere' }), await shop.line(SHELLS.at(-1)!, text), text);
  }
});

test('a program of the same name in a folder others can write is not harmless (PATH hijack)', async () => {
  await using shop = await workshop();
  await writeFile(`${shop.path}/ls`, PROBE);
  await chmod(`${shop.path}/ls`, 0o755);
  const {
    segments: [hijacked],
  } = await proven('ls -la', shop.fixture());
  assert.deepEqual([hijacked?.path, hijacked?.harmless, hijacked?.interpreter], [`${shop.path}/ls`, false, true]);
  const {
    segments: [inPlace],
  } = await proven(
    '/usr/bin/env ls',
    createMachineContext({ cwd: shop.path, env: system, readableRoots: [shop.path], closedPaths: [], safeBins: [] }),
  );
  assert.equal(inPlace?.path?.startsWith(shop.path), false);
});

function onLinux(t: TestContext): boolean {
  if (process.platform !== 'linux') t.skip('who may change /usr is only known for Linux');
  return process.platform === 'linux';
}

test('paths are followed as the system follows them: links, and what is behind ".."', async (t) => {
  if (!onLinux(t)) return;
  await using shop = await workshop();
  await mkdir(`${shop.path}/deep/er`, { recursive: true });
  await symlink('/etc', `${shop.path}/out`);
  await symlink(`${shop.path}/deep/er`, `${shop.path}/in`);
  await writeFile(`${shop.path}/deep/a`, '');
  const harmless = async (text: string) =>
    (await proven(text, shop.fixture())).segments.every((segment) => segment.harmless);
  for (const text of ['cat in/../a', 'ls in', 'cat deep/a', 'cat nothing', 'ls deep/nothing/'])
    assert.ok(await harmless(text), text);
  for (const text of [
    'cat out/passwd',
    'cat out/../etc/passwd',
    'ls out',
    'cat out/nothing',
    'ls ..',
    'cat /dev/zero',
    'cat in/../../../../../etc/passwd',
  ])
    assert.ok(!(await harmless(text)), text);
});

test('an environment that steers the shell or loads code into programs leaves nothing harmless', async (t) => {
  if (!onLinux(t)) return;
  await using shop = await workshop();
  const harmless = async (env: Record<string, string>) =>
    (await proven('ls; echo a', shop.fixture({ ...system, ...env }))).segments.map((segment) => segment.harmless);
  assert.deepEqual(await harmless({ LD_LIBRARY_PATH: '/usr/lib:/usr/lib/nothing-there' }), [true, true]);
  const steering = [
    { BASH_ENV: 'x' },
    { ENV: 'x' },
    { 'BASH_FUNC_ls%%': '() { id; }' },
    { SHELLOPTS: 'xtrace' },
    { ZDOTDIR: '/tmp' },
    { LD_PRELOAD: `${shop.path}/x.so` },
    { LD_PRELOAD: './x.so' },
    { LD_AUDIT: 'x.so' },
    { LD_LIBRARY_PATH: `/usr/lib:${shop.path}` },
    { GCONV_PATH: shop.path },
  ];
  for (const env of steering) assert.deepEqual(await harmless(env), [false, false], Object.keys(env)[0]);
});

test('a program that is many is started by the name it was called by, and allowing its file is allowing all of them', async () => {
  await using shop = await workshop();
  await mkdir(`${shop.path}/bin`);
  await writeFile(`${shop.path}/bin/rustup`, PROBE);
  await chmod(`${shop.path}/bin/rustup`, 0o755);
  await symlink('rustup', `${shop.path}/bin/cargo`);
  const fixture = createMachineContext({
    cwd: '/',
    env: { PATH: `${shop.path}/bin:${system.PATH}` },
    readableRoots: [],
    closedPaths: [],
    safeBins: [],
  });
  const {
    segments: [segment],
    plan,
  } = await proven('cargo build', fixture);
  assert.deepEqual(
    [segment?.path, segment?.interpreter, plan],
    [`${shop.path}/bin/rustup`, true, `'${shop.path}/bin/cargo' 'build'`],
  );
});

test('a segment tells the folder it runs in, as far as that is certain', async () => {
  const folders = async (text: string) => (await proven(text)).segments.map(({ cwd }) => cwd);
  assert.deepEqual(await folders('rm a && cd src && rm b'), ['/home/ada/clawd', undefined, undefined]);
  assert.deepEqual(await folders('cd src && npm test'), [undefined, '/home/ada/clawd/src']);
});

test(
  'what belongs to the gateway is not read without asking: itself, what lies in it, what holds it, and the ' +
    'copies beside it',
  async () => {
    await using dir = await tempDir('closed');
    await mkdir(`${dir.path}/state`);
    await mkdir(`${dir.path}/src`);
    for (const name of [
      'state/token',
      'conf.json',
      'conf.json.bak',
      'conf.json.bak.4',
      'conf.json-wal',
      'conf.jsonl',
      'src/a',
    ])
      await writeFile(`${dir.path}/${name}`, 'x');
    await symlink('conf.json.bak', `${dir.path}/innocent`);
    const fixture = () =>
      createMachineContext({
        cwd: dir.path,
        env: system,
        readableRoots: [dir.path],
        closedPaths: [`${dir.path}/state`, `${dir.path}/conf.json`],
        safeBins: ['grep'],
      });
    const harmless = async (command: string): Promise<boolean> => {
      const found = await analyse(command, fixture());
      return found.proven && found.segments.every((segment) => segment.harmless);
    };
    for (const file of [
      'state/token',
      'conf.json',
      'conf.json.bak',
      'conf.json.bak.4',
      'conf.json-wal',
      'innocent',
      'src/../conf.json.bak',
    ])
      assert.equal(await harmless(`cat ${file}`), false, file);
    for (const command of ['grep -r x', 'grep -r x .', 'find .', 'ls', 'grep x state/token', 'cd state && cat token'])
      assert.equal(await harmless(command), false, command);
    for (const command of ['cat conf.jsonl', 'grep -r x src']) assert.equal(await harmless(command), true, command);
  },
);
