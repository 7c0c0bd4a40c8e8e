// Which files a command would read its code from.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { present } from '../../../core/present.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { codeFoldersOf, scriptsOf } from './script-files.ts';

const segment = (words: readonly string[], interpreter: boolean): Analysis => ({
  proven: true,
  plan: '',
  segments: [{ argv: words, path: `/usr/bin/${words[0]}`, builtin: false, wrappers: [], harmless: false, interpreter }],
});
const steps = (...all: readonly (readonly (string | undefined)[])[]): Analysis => ({
  proven: false,
  why: [],
  steps: all.map((words) => ({ words })),
});

describe('scripts', () => {
  const found: readonly [string, Analysis, readonly string[]][] = [
    ['an operand', segment(['sh', 'deploy.sh', 'prod'], true), ['/w/deploy.sh', '/w/prod']],
    ['an absolute one', segment(['node', '/opt/x.mjs'], true), ['/opt/x.mjs', '/w/package.json']],
    [
      'the value of an option',
      segment(['awk', '--file=a.awk', '-fb.awk', '-f', 'c.awk'], true),
      ['/w/a.awk', '/w/b.awk', '/w/c.awk'],
    ],
    [
      'named inside code',
      segment(['bash', '-c', 'x=1; sh "deploy.sh" && ./other'], true),
      ['/w/deploy.sh', '/w/other'],
    ],
    ['what is run without being named', segment(['make', 'install'], true), ['/w/Makefile']],
    ['a version in the name', steps(['python3.11', 'x.py']), ['/w/x.py']],
    ['behind `cd`', steps(['cd', 'sub'], ['sh', 'deploy.sh']), ['/w/deploy.sh', '/w/sub/deploy.sh']],
    ['beside what is unknown', steps(['sh', undefined, 'deploy.sh']), ['/w/deploy.sh']],
  ];
  for (const [what, analysis, files] of found)
    it(what, () => {
      const scripts = scriptsOf(analysis, '/w');
      for (const file of files) assert.ok(scripts.includes(file), `${file} is missing in ${scripts.join(' ')}`);
    });

  it('in the folder a proven program runs in, and only there', () => {
    const analysis: Analysis = {
      proven: true,
      plan: '',
      segments: [
        {
          argv: ['sh', 'x.sh'],
          path: '/bin/sh',
          builtin: false,
          wrappers: [],
          harmless: false,
          interpreter: true,
          cwd: '/w/sub',
        },
      ],
    };
    assert.deepEqual(scriptsOf(analysis, '/w'), ['/w/sub/x.sh']);
  });

  it('data of other programs is none, so that a growing log is no change', () => {
    assert.deepEqual(scriptsOf(segment(['tail', 'app.log'], false), '/w'), []);
    assert.deepEqual(scriptsOf(steps(['tail', 'app.log'], [undefined]), '/w'), []);
  });

  it('the folder itself, for what loads code by names nobody says', () => {
    const folders = (words: readonly string[], interpreter = true, cwd?: string): readonly string[] => {
      const {
        segments: [one],
      } = segment(words, interpreter) as Extract<Analysis, { proven: true }>;
      return codeFoldersOf({ proven: true, plan: '', segments: [{ ...one!, ...present({ cwd }) }] });
    };
    for (const words of [
      ['node', 'build'],
      ['python3.11', '-m', 'jobs'],
      ['make'],
      ['bash', '-c', 'x'],
      ['npx', 'x'],
      ['perl', '-Mx', '-e', '1'],
    ])
      assert.deepEqual(folders(words, true, '/w'), ['/w'], words.join(' '));
    for (const words of [
      ['ssh', 'host', 'uptime'],
      ['kubectl', 'get', 'pods'],
    ])
      assert.deepEqual(folders(words, true, '/w'), [], words.join(' '));
    assert.deepEqual([folders(['rm', 'x'], false, '/w'), folders(['node', 'x'])], [[], []]);
    for (const words of [
      ['docker', 'build', '.'],
      ['eslint', '.'],
      ['hg', 'status'],
      ['terraform', 'plan'],
    ])
      assert.deepEqual(folders(words, true, '/w'), ['/w'], words.join(' '));
    assert.deepEqual(
      folders(['git', '-C', 'shop', 'status'], false, '/w'),
      ['/w', '/w/-C', '/w/shop', '/w/status'],
      'its settings and hooks are code',
    );
  });
});
