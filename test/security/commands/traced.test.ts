// Every command line classified as harmless is harmless: it runs under strace with its real plan, in a workspace with
// traps. By default all hostile lines, and one of each kind of the others; all in `npm run test:full`.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { execSchema } from '../../../src/features/exec/config.ts';
import { execSettings } from '../../../src/features/exec/exec-settings.ts';
import { evaluate } from '../../../src/features/exec/approvals/allowlist.ts';
import { readCommand } from '../../../src/features/exec/read-command.ts';
import { shellEnv } from '../../../src/features/exec/shell-program.ts';
import { findProgram } from '../../../src/platform/find-program.ts';
import { folderFingerprint } from '../../../src/testing/folder-fingerprint.ts';
import { COMMANDS_NEEDING_APPROVAL } from '../../../src/testing/shell-corpus/needs-approval.ts';
import { HARMLESS_COMMANDS } from '../../../src/testing/shell-corpus/harmless.ts';
import { UNPROVEN_COMMANDS } from '../../../src/testing/shell-corpus/unproven.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { casesOf, timesOf } from '../../crash/matrix.ts';
import { fuzzedLines } from './fuzzed-lines.ts';
import { GROWN, mixedLines } from './grown-lines.ts';
import { sideEffectsOf, KINDS, secretsOf, type SideEffect } from './side-effects.ts';
import { linesOf, placed } from './line-files.ts';
import { HOSTILE } from './hostile-lines.ts';
import { EVERYDAY } from './lines.ts';
import { trace, whyNotTraced, type TracedLine } from './tracer.ts';
import { tracedWorkspace, type TracedWorkspace } from './traced-workspace.ts';

const strace = await findProgram('strace', process.env['PATH']);
const skip = await whyNotTraced(strace);
const KNOWN = [
  ...HARMLESS_COMMANDS,
  ...COMMANDS_NEEDING_APPROVAL.map(([line]) => line),
  ...Object.values(UNPROVEN_COMMANDS).flatMap(({ commands }) => commands),
];
const WRITTEN = [
  ...new Set([...EVERYDAY, ...HOSTILE, ...KNOWN, ...['everyday', 'reads', 'writes', 'runs'].flatMap(linesOf)]),
];
/** Of each program one line in so many. */
const grown = GROWN.filter((_line, index) => index % timesOf(18, 1) === 0);
const MIXED = mixedLines([...WRITTEN, ...GROWN], timesOf(60, 1000));
const FUZZED = fuzzedLines(timesOf(60, 1000));
const LINES = [...new Set([...WRITTEN, ...grown, ...MIXED, ...FUZZED])];
/** They wait or count for as long as they are told to, and end by the time a command has. */
const ENDLESS = /\bsleep\b.*(?:inf|[1-9])|\bseq\b.*(?:inf|nan|\b1 0 2)/;
const SHELL_SIGNS = /\|\||&&|[|;&<>$`"'(){}*?[\]~#\\\n!]/g;

async function harness() {
  const dir = await tempDir('traced');
  const { home, workspace } = await tracedWorkspace(await realpath(dir.path));
  const env = shellEnv({
    vars: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, SHELL: '/bin/bash', LANG: 'C.UTF-8', TERM: 'dumb' },
    extra: {},
    pass: [],
    pathPrepend: [],
    loginPath: undefined,
  });
  const settings = execSettings(execSchema.parse({ security: 'allowlist', ask: 'on-miss' }), undefined);
  const place = { workspace, readableRoots: [], deniedPaths: [], settings };
  return {
    dir,
    home,
    workspace,
    env,
    evaluated: (line: string) => evaluatedBy(line, { cwd: workspace, env, shell: '/bin/bash', place, usesPlan: true }),
  };
}

/** Lines of a kind start the same programs by the same signs of the shell. */
const kindOf = ({ line, programs }: TracedLine): string =>
  JSON.stringify([programs, [...new Set(line.match(SHELL_SIGNS))].toSorted()]);

/** What would run unasked; undefined where somebody is asked. */
async function evaluatedBy(line: string, around: Parameters<typeof readCommand>[1]): Promise<TracedLine | undefined> {
  const { analysis, argv, facts } = await readCommand(line, around);
  if (!evaluate(analysis, [], { autoAllowSkills: false, variables: {} }).satisfied) return undefined;
  return {
    line,
    argv,
    programs: await Promise.all(
      facts.programs.slice(1).map((path) =>
        realpath(path).then(
          (real) => real,
          () => path,
        ),
      ),
    ).then((real) => [...facts.programs.slice(1), ...real]),
  };
}

/** A part of them on each processor; what changes the workspace goes one after the other. */
async function traced(
  lines: readonly TracedLine[],
  { env, workspace, home }: TracedWorkspace & { readonly env: Readonly<Record<string, string>> },
  workers = Math.min(availableParallelism(), 4),
): Promise<readonly SideEffect[]> {
  const parts = Array.from({ length: workers }, (_, worker) =>
    lines.filter((_line, index) => index % workers === worker),
  );
  const done = await Promise.all(
    parts.map(async (part, worker) => {
      const folder = join(dirname(home), `trace-${worker}`);
      await mkdir(folder);
      return trace(part, { folder, cwd: workspace, env });
    }),
  );
  return done.flat().flatMap((run) => sideEffectsOf(run, { cwd: workspace, secrets: secretsOf(home) }));
}

test('harmless command lines write nothing, start nothing else, reach nobody and read nothing outside', {
  skip,
}, async (t) => {
  const s = await harness();
  await using _dir = s.dir;
  const everyday = new Set(EVERYDAY);
  const evaluated = await Promise.all(
    LINES.map(async (line) => ({ line, harmless: await s.evaluated(placed(line, s)) })),
  );
  const harmless = evaluated.flatMap((one) => (one.harmless && !ENDLESS.test(one.line) ? [one.harmless] : []));
  const hostile = new Set(HOSTILE.map((line) => placed(line, s)));
  const executed = casesOf(harmless, (one) => (hostile.has(one.line) ? one.line : kindOf(one)));
  const asked = evaluated.filter(({ line, harmless: runs }) => everyday.has(line) && !runs).map(({ line }) => line);
  const before = await folderFingerprint(s.workspace);
  const sideEffects = await traced(executed, s);
  const counted = (from: readonly string[]): string =>
    `${from.length} (${evaluated.filter(({ line, harmless: runs }) => runs && from.includes(line)).length} harmless)`;
  t.diagnostic(
    `commands: ${LINES.length} lines: written ${counted(WRITTEN)}, grown ${counted(grown)}, mixed ${counted(MIXED)}, fuzzed ${counted(FUZZED)}; ${harmless.length} harmless, ${executed.length} executed; ${KINDS.map((kind) => `${kind} ${sideEffects.filter((deed) => deed.kind === kind).length}`).join(', ')}; ${EVERYDAY.length - asked.length}/${EVERYDAY.length} everyday lines unasked`,
  );
  assert.deepEqual(
    sideEffects.map(({ line, kind, what }) => `${line}: ${kind}: ${what}`),
    [],
  );
  assert.deepEqual(asked, []);
  assert.deepEqual(await folderFingerprint(s.workspace), before);
  assert.deepEqual((await readdir(s.home)).toSorted(), ['secret.txt', 'work']);
  assert.ok(WRITTEN.length >= 1200 && harmless.length >= timesOf(500, 1000) && executed.length >= timesOf(200, 1000));
});

test('the tracer sees what is done', { skip }, async () => {
  const s = await harness();
  await using _dir = s.dir;
  const DONE: readonly (readonly [line: string, kind: SideEffect['kind']])[] = [
    ['touch new', 'wrote'],
    ['echo x > new', 'wrote'],
    ['echo x >> notes.txt', 'wrote'],
    ['rm other.txt', 'wrote'],
    ['mkdir d', 'wrote'],
    ['chmod 600 notes.txt', 'wrote'],
    ['mv notes.txt n2', 'wrote'],
    ['ln -s x y', 'wrote'],
    ['sort -o new table.csv', 'wrote'],
    ['sh evil.sh', 'started'],
    ['./evil.sh', 'started'],
    ['awk \'BEGIN{system("true")}\'', 'started'],
    ['bash -c "bash -c true"', 'started'],
    ['cat ../secret.txt', 'read'],
    ['cat link-to-secret', 'read'],
    ['ls link-out', 'read'],
    ['cat /etc/shadow', 'read'],
    ['date -d \'TZ="/etc/shadow" now\'', 'read'],
    ['exec 3<>/dev/tcp/127.0.0.1/1', 'connected'],
    ['sleep 3 & kill -TERM $!', 'signalled'],
    ['sort notes.txt > new', 'wrote'],
    ['cat notes.txt | (cat > new)', 'wrote'],
    ['cat notes.txt | tac', 'wrote'],
    ['cat /etc/passwd', 'read'],
    ['cat /proc/self/environ', 'read'],
    ['head -n 1 /etc/hostname', 'read'],
    ['stat ../secret.txt', 'looked'],
    ['test -e ../secret.txt', 'looked'],
    ['LD_PRELOAD=./evil.so ls', 'loaded'],
    ['tail +1f data.json', 'did not end'],
    ['unshare -U true', 'changed the machine'],
    ['TZ=/etc/shadow date', 'read'],
  ];
  const programs = await Promise.all(
    [
      'touch',
      'rm',
      'mkdir',
      'chmod',
      'mv',
      'ln',
      'sort',
      'cat',
      'ls',
      'date',
      'mawk',
      'awk',
      'sleep',
      'tac',
      'stat',
      'head',
      'tail',
      'unshare',
    ].map(async (name) => (await findProgram(name, s.env['PATH'])) ?? name),
  );
  const real = await Promise.all(
    programs.map((path) =>
      realpath(path).then(
        (found) => found,
        () => path,
      ),
    ),
  );
  const sideEffects = await traced(
    DONE.map(([line]) => ({ line, argv: ['/bin/bash', '-c', line], programs: [...programs, ...real] })),
    s,
    1,
  );
  assert.deepEqual(
    KINDS.filter((kind) => !DONE.some(([, done]) => done === kind)),
    [],
  );
  assert.deepEqual(
    DONE.filter(([line, kind]) => !sideEffects.some((deed) => deed.line === line && deed.kind === kind)),
    [],
  );
});
