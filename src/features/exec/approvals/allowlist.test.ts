// An analysed command against the allowlist: what runs by itself, what asks and why, what "always" would remember.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyse } from '../analysis/analyse.ts';
import type { Analysis, Segment } from '../analysis/analysis.ts';
import { fakeContext } from '../analysis/fake.ts';
import { describeEntry, evaluate, type AllowEntry } from './allowlist.ts';
import { exactly } from './exact-command.ts';

const place = { autoAllowSkills: false };
const CWD = '/home/ada';
const entry = (pattern: string, more: Partial<AllowEntry> = {}): AllowEntry => ({
  pattern,
  written: pattern,
  listedFor: 'main',
  ...more,
});
const run = (words: string, more: Partial<Segment> = {}): Segment => {
  const argv = words.split(' ');
  return {
    argv,
    path: `/usr/bin/${argv[0]}`,
    builtin: false,
    wrappers: [],
    harmless: false,
    interpreter: false,
    cwd: CWD,
    ...more,
  };
};
const proven = (...segments: Segment[]): Analysis => ({
  proven: true,
  segments,
  plan: segments.map(({ argv }) => argv.join(' ')).join(' && '),
});

describe('the allowlist', () => {
  it('T43 harmless programs need no entry', () => {
    const evaluated = evaluate(
      proven(run('echo ok', { harmless: true, builtin: true }), run('jq .foo', { harmless: true })),
      [],
      place,
    );
    assert.deepEqual(
      [evaluated.satisfied, evaluated.reasons, evaluated.used, evaluated.steps.map(({ words }) => words[0])],
      [true, [], [], ['echo', 'jq']],
    );
  });

  it('T44 every program of a chain must be allowed', () => {
    const chain = proven(run('ls'), run('rm -rf /'));
    const half = evaluate(chain, [entry('/usr/bin/ls')], place);
    assert.equal(half.satisfied, false);
    assert.deepEqual(half.reasons, ['/usr/bin/rm is not in the allowlist.']);
    assert.deepEqual(
      half.steps.map(({ why }) => why),
      [undefined, '/usr/bin/rm is not in the allowlist.'],
    );
    assert.equal(evaluate(chain, [entry('/usr/bin/ls'), entry('/usr/bin/rm')], place).satisfied, true);
  });

  it('T39 T42 names alone and programs that are nowhere are never allowed', () => {
    assert.equal(evaluate(proven(run('rg')), [entry('rg'), entry('RG'), entry('*')], place).satisfied, false);
    const { path: _path, ...nowhere } = run('ghost');
    const evaluated = evaluate(proven(nowhere), [entry('/**'), entry('**/ghost')], place);
    assert.deepEqual(
      [evaluated.satisfied, evaluated.reasons, evaluated.rememberable],
      [false, ['ghost is not a program on this machine.'], false],
    );
  });

  it('T56 what could not be proven is never satisfied, nor remembered', () => {
    const evaluated = evaluate(
      {
        proven: false,
        why: ['It runs another command inside double quotes.'],
        steps: [{ words: ['echo', undefined] }],
      },
      [entry('/**')],
      place,
    );
    assert.deepEqual(evaluated, {
      satisfied: false,
      reasons: ['It runs another command inside double quotes.'],
      steps: [{ words: ['echo', undefined] }],
      rememberable: false,
      remember: [],
      used: [],
    });
  });

  it('T57 a wrapper and what it runs are judged each by itself', () => {
    const wrapped = proven(run('sh -c id', { interpreter: true, wrappers: [{ argv: ['env'], path: '/usr/bin/env' }] }));
    assert.equal(evaluate(wrapped, [entry('/usr/bin/env')], place).satisfied, false);
    const inner = proven(run('make-it', { wrappers: [{ argv: ['nice'], path: '/usr/bin/nice' }] }));
    assert.equal(evaluate(inner, [entry('/usr/bin/make-it')], place).satisfied, false, 'the wrapper too');
    assert.equal(evaluate(inner, [entry('/usr/bin/make-it'), entry('/usr/bin/nice')], place).satisfied, true);
  });

  it('a path alone never allows a program that runs code it is given', () => {
    const python = run('python3 report.py', { interpreter: true });
    for (const open of [entry('/usr/bin/python3'), entry('/**'), entry('/usr/bin/python3', { source: 'allow-always' })])
      assert.equal(evaluate(proven(python), [open], place).satisfied, false);
    const exact = entry('/usr/bin/python3', { argPattern: exactly({ cwd: CWD, argv: python.argv }) });
    assert.equal(evaluate(proven(python), [exact], place).satisfied, true);
    assert.equal(evaluate(proven({ ...python, cwd: '/tmp' }), [exact], place).satisfied, false);
    const { cwd: _cwd, ...anywhere } = python;
    const lost = evaluate(proven(anywhere), [exact], place);
    assert.deepEqual([lost.satisfied, lost.rememberable], [false, false], 'in a folder nobody knows');
    assert.equal(evaluate(proven(run('python3 other.py', { interpreter: true })), [exact], place).satisfied, false);
  });

  it(
    'T59 "always" remembers the program with its arguments and its folder; with that the same command does not ' +
      'ask again',
    () => {
      const command = proven(
        run('git push'),
        run('python3 report.py', { interpreter: true }),
        run('wc -l', { harmless: true }),
      );
      const first = evaluate(command, [], place);
      assert.equal(first.rememberable, true);
      assert.deepEqual(
        first.remember.map(({ pattern, argPattern }) => [pattern, argPattern === undefined]),
        [
          ['/usr/bin/git', false],
          ['/usr/bin/python3', false],
        ],
      );
      assert.deepEqual(first.remember.map(describeEntry), [
        '/usr/bin/git, only as: git push (in /home/ada)',
        '/usr/bin/python3, only as: python3 report.py (in /home/ada)',
      ]);
      const entries = first.remember.map((one) => entry(one.pattern, { ...one, source: 'allow-always' }));
      const second = evaluate(command, entries, place);
      assert.deepEqual(
        [second.satisfied, second.used.map(({ pattern }) => pattern), second.rememberable],
        [true, ['/usr/bin/git', '/usr/bin/python3'], false],
      );
      for (const other of [run('git push --force'), run('git push', { cwd: '/tmp' }), run('git status')])
        assert.equal(evaluate(proven(other), entries, place).satisfied, false, other.argv.join(' '));
    },
  );

  it(
    'an "always" of another release that names no arguments holds for nothing: it would be one for every file ' +
      'the program can read',
    () => {
      for (const words of ['cat notes', 'git status', 'rg x'])
        assert.equal(
          evaluate(proven(run(words)), [entry(`/usr/bin/${words.split(' ')[0]}`, { source: 'allow-always' })], place)
            .satisfied,
          false,
        );
    },
  );

  it('what is fed to a program that runs code can be anything: nobody says always to it', async () => {
    const evaluated = async (command: string, entries: readonly AllowEntry[] = []) =>
      evaluate(await analyse(command, fakeContext()), entries, place);
    const alone = await evaluated('sh');
    assert.equal(alone.rememberable, true);
    const entries = alone.remember.map((one) => entry(one.pattern, { ...one, source: 'allow-always' }));
    for (const command of [
      'cat deploy.sh | sh',
      'echo id | sh',
      'echo x | python3',
      'cat deploy.sh | tail -n 1 | sh',
    ]) {
      const { satisfied, rememberable, reasons } = await evaluated(command, entries);
      assert.deepEqual([satisfied, rememberable], [false, false], command);
      assert.match(reasons.join(' '), /which another command provides/, command);
    }
    assert.equal((await evaluated('sh deploy.sh | cat')).rememberable, true);
  });

  it('"always" means that very file: what looks like a pattern in its name is none', () => {
    const odd = run('x', { path: '/opt/*/x' });
    const entries = evaluate(proven(odd), [], place).remember.map((one) =>
      entry(one.pattern, { ...one, source: 'allow-always' }),
    );
    assert.equal(evaluate(proven(odd), entries, place).satisfied, true);
    assert.equal(evaluate(proven(run('x', { path: '/opt/evil/x' })), entries, place).satisfied, false);
    assert.equal(evaluate(proven(run('X', { path: '/OPT/*/x' })), entries, place).satisfied, false);
  });

  it('nothing is remembered when one program cannot be', () => {
    const { path: _path, ...builtin } = run('eval x', { builtin: true, why: 'eval runs text.' });
    const evaluated = evaluate(proven(run('git push'), builtin), [], place);
    assert.deepEqual(
      [evaluated.rememberable, evaluated.reasons],
      [false, ['/usr/bin/git is not in the allowlist.', 'eval runs text.']],
    );
  });

  it('T48 programs of skills are allowed only when that is on, and never to run any code', () => {
    const command = proven(run('gog mail'));
    const skillBins = ['/usr/bin/gog', '/usr/bin/node'];
    assert.equal(evaluate(command, [], { ...place, skillBins }).satisfied, false);
    assert.equal(evaluate(command, [], { ...place, skillBins, autoAllowSkills: true }).satisfied, true);
    assert.equal(
      evaluate(command, [], { ...place, skillBins: ['gog'], autoAllowSkills: true }).satisfied,
      false,
      'real paths only',
    );
    assert.equal(
      evaluate(proven(run('node x.mjs', { interpreter: true })), [], { ...place, skillBins, autoAllowSkills: true })
        .satisfied,
      false,
    );
  });

  it('T45 T47 T53 T55 T57 T58 with the real analysis: what asks and what does not', async () => {
    const entries = [entry('/usr/bin/git'), entry('/usr/bin/env')];
    const asks: Record<string, boolean> = {};
    for (const command of [
      'echo ok | jq .foo',
      'git status',
      'ls && git status',
      'git status && rm -rf /',
      'git status &&',
      'echo "$(id)"',
      'echo "a && b"',
      'env sh -c id',
      'sort --compress-program=x',
      'jq .foo /etc/passwd',
      'git -c core.pager=x log',
      'sh deploy.sh',
    ])
      asks[command] = !evaluate(await analyse(command, fakeContext()), entries, place).satisfied;
    assert.deepEqual(
      Object.keys(asks).filter((command) => asks[command]),
      [
        'git status && rm -rf /',
        'git status &&',
        'echo "$(id)"',
        'env sh -c id',
        'sort --compress-program=x',
        'jq .foo /etc/passwd',
        'git -c core.pager=x log',
        'sh deploy.sh',
      ],
    );
  });

  it('T59 "always" with the real analysis: the same command runs, its neighbours ask', async () => {
    const evaluated = async (command: string, entries: readonly AllowEntry[]) =>
      evaluate(await analyse(command, fakeContext()), entries, place);
    const first = await evaluated('sh deploy.sh prod', []);
    assert.equal(first.rememberable, true);
    const entries = first.remember.map((one) => entry(one.pattern, { ...one, source: 'allow-always' }));
    for (const [command, satisfied] of [
      ['sh deploy.sh prod', true],
      ["sh 'deploy.sh'  prod", true],
      ['sh deploy.sh test', false],
      ['sh deploy.sh prod; rm x', false],
      ['cd src && sh deploy.sh prod', false],
      ['sh -x deploy.sh prod', false],
      ['bash deploy.sh prod', false],
    ] as const)
      assert.equal((await evaluated(command, entries)).satisfied, satisfied, command);
  });

  it('the words kept for people hold no secrets', () => {
    const { remember } = evaluate(
      proven(run('node deploy.mjs --token sk-ant-REDACTED', { interpreter: true })),
      [],
      place,
    );
    assert.doesNotMatch(JSON.stringify(remember), /abcdefghijklmnop/);
  });

  it('a variable the model sets takes away what was only proven, or allowed, without it', () => {
    const make = run('make test', { interpreter: true });
    const always = [
      entry('/usr/bin/make', { argPattern: exactly({ cwd: CWD, argv: ['make', 'test'] }) }),
      entry('/usr/bin/rg'),
    ];
    const said = (segment: Segment, ...names: string[]) => {
      const { satisfied, reasons, rememberable } = evaluate(proven(segment), always, {
        ...place,
        variables: Object.fromEntries(names.map((each) => each.split('='))),
      });
      return [satisfied, reasons[0], rememberable];
    };
    const harmless = run('file notes.txt', { harmless: true });
    for (const plain of [
      'LANG=C',
      'LC_ALL=de_DE.UTF-8',
      'TZ=UTC',
      'TZ=Europe/Berlin',
      'TZ=America/Argentina/Ushuaia',
      'TZ=Etc/GMT+1',
      'TZ=CET-1CEST,M3.5.0,M10.5.0/3',
      'TZ=<+03>-3',
      'NO_COLOR=1',
    ])
      for (const one of [harmless, make]) assert.deepEqual(said(one, plain), [true, undefined, false], plain);
    for (const file of [
      'TZ=/etc/shadow',
      'TZ=:/etc/shadow',
      'TZ=../x',
      'TZ=a/../../x',
      'TZ=',
      'LC_ALL=/x',
      'TERM=/x',
      'LANG=../x',
    ])
      assert.equal(said(harmless, file)[0], false, file);
    assert.deepEqual(said(harmless, 'MAGIC=x'), [
      false,
      'file runs with MAGIC set, which can change what it does.',
      false,
    ]);
    assert.deepEqual(said(run('echo x', { harmless: true, builtin: true }), 'TZ=UTC', 'FOO=x'), [
      false,
      'echo runs with FOO set, which can change what it does.',
      false,
    ]);
    assert.deepEqual(said(make, 'TEST_COMMAND=x'), [
      false,
      'make runs with TEST_COMMAND set, which can change what it does.',
      false,
    ]);
    assert.deepEqual(
      said(run('rg x'), 'FOO=x'),
      [true, undefined, false],
      'a person allowed that program whatever it is told',
    );
  });
});
