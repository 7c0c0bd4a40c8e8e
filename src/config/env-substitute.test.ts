import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readEnv } from '../platform/env.ts';
import { namesVariable, substituteEnv } from './env-substitute.ts';

const env = readEnv({ HOME: '/h', A: 'alpha', B_2: 'beta', EMPTY: '', NESTED: '${A}' });

test('upper-case names are replaced, also within text and in depth', () => {
  const { value, issues, references } = substituteEnv(
    { x: '${A}', list: ['pre-${A}-${B_2}'], n: 1, deep: { y: null } },
    env,
  );
  assert.deepEqual(value, { x: 'alpha', list: ['pre-alpha-beta'], n: 1, deep: { y: null } });
  assert.deepEqual(issues, []);
  assert.deepEqual(
    [...references],
    [
      ['x', ['A']],
      ['list[0]', ['A', 'B_2']],
    ],
  );
});

test('a missing or empty variable is an issue naming variable, path and way out', () => {
  for (const name of ['MISSING', 'EMPTY']) {
    const { issues } = substituteEnv({ gateway: { auth: { token: `\${${name}}` } } }, env);
    assert.equal(issues.length, 1);
    assert.equal(issues[0]?.path, 'gateway.auth.token');
    assert.match(issues[0]?.problem ?? '', new RegExp(name));
    assert.match(issues[0]?.fix ?? '', /env\.vars/);
  }
});

test('$${NAME} is literal, other spellings are left alone, values are not looked into again', () => {
  assert.deepEqual(substituteEnv(['$${A}', '${lower}', '$A', '${A', '${}', '${NESTED}', '$${MISSING}'], env).value, [
    '${A}',
    '${lower}',
    '$A',
    '${A',
    '${}',
    '${A}',
    '${MISSING}',
  ]);
  assert.equal(namesVariable('$${A}'), false);
  assert.equal(namesVariable('x ${A}'), true);
});

test('property: text without a reference is untouched, and pieces around references survive', () => {
  const plain = fc.string().map((text) => text.replaceAll(/[${}]/g, ''));
  fc.assert(
    fc.property(plain, plain, plain, (a, b, c) => {
      assert.equal(substituteEnv(a, env).value, a);
      assert.equal(substituteEnv(`${a}\${A}${b}$\${A}${c}`, env).value, `${a}alpha${b}\${A}${c}`);
    }),
  );
});

test('property: whatever a variable holds arrives as it is', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (held) => {
      assert.equal(substituteEnv('<${V}>', readEnv({ HOME: '/h', V: held })).value, `<${held}>`);
    }),
  );
});
