// A permission for one exact command covers that command and nothing else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exactly, isExactly } from './exact-command.ts';

const script = { cwd: '/home/ada', argv: ['sh', 'deploy.sh', '--to', 'prod env'] };

describe('exact commands', () => {
  it('cover the same words in the same folder, however the program was named', () => {
    assert.ok(isExactly(exactly(script), script));
    assert.ok(isExactly(exactly(script), { ...script, argv: ['/bin/sh', ...script.argv.slice(1)] }));
  });

  it('cover nothing else', () => {
    const others = [
      ['sh', 'deploy.sh', '--to', 'prod'],
      ['sh', 'deploy.sh', '--to', 'prod', 'env'],
      ['sh', 'deploy.sh', '--to', 'prod env', ''],
      ['sh', 'deploy.sh --to prod env'],
      ['sh'],
      ['sh', 'DEPLOY.sh', '--to', 'prod env'],
    ];
    for (const argv of others) assert.ok(!isExactly(exactly(script), { ...script, argv }), argv.join('|'));
    assert.ok(!isExactly(exactly(script), { ...script, cwd: '/tmp' }), 'another folder has another deploy.sh');
  });

  it('keep nothing of the arguments in the file', () => {
    assert.match(exactly({ cwd: '/x', argv: ['curl', '-u', 'ada:hunter2'] }), /^exact:sha256:[0-9a-f]{64}$/);
  });

  it('take the literal form of the product family', () => {
    assert.ok(isExactly('^deploy\\.sh\0--to\0prod env\0$', script));
    assert.ok(isExactly('^hello world\0$', { cwd: '/', argv: ['x', 'hello world'] }));
    assert.ok(!isExactly('^hello world\0$', { cwd: '/', argv: ['x', 'hello', 'world'] }));
    assert.ok(isExactly('^\0\0$', { cwd: '/', argv: ['x'] }));
    assert.ok(isExactly('^\0$', { cwd: '/', argv: ['x', ''] }));
    assert.ok(!isExactly('^\0\0$', { cwd: '/', argv: ['x', '', ''] }), 'two empty words are not none');
  });

  it('what stands for more than one text covers nothing', () => {
    for (const expression of [
      '^.*\0$',
      '.*',
      '^a|b\0$',
      '^(a)\0$',
      '^a+\0$',
      '^[a]\0$',
      'a',
      '^a$',
      'a\0$',
      '^a\0',
      '^\\w\0$',
      '^a\\',
      '',
      '(a+)+$',
      'exact:sha256:',
      '^a\\d\0$',
    ])
      assert.ok(!isExactly(expression, { cwd: '/', argv: ['x', 'a'] }), expression);
  });
});
