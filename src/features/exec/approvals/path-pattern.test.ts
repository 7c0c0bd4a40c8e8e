// Which real paths a pattern of the allowlist covers, by example and against a second, independent reading of the
// rules.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { expandPattern, isPathPattern, matchesPath } from './path-pattern.ts';

describe('patterns of programs', () => {
  const cases: readonly [string, string, boolean, string?][] = [
    ['RG', '/usr/bin/rg', false, 'T39 a name alone covers nothing'],
    ['rg', 'rg', false],
    ['*', '/usr/bin/rg', false],
    ['**', '/usr/bin/rg', false],
    ['/opt/**/rg', '/opt/a/b/c/rg', true, 'T40 across folders'],
    ['/opt/**/rg', '/opt/a/rgx', false],
    ['/opt/**/rg', '/opt/rg', false],
    ['/opt/**', '/opt/a/b', true],
    ['/opt/**', '/optional/b', false],
    ['/opt/*/rg', '/opt/a/rg', true],
    ['/opt/*/rg', '/opt/a/b/rg', false, 'T41 inside one folder'],
    ['/opt/*', '/opt/', true],
    ['/opt/*', '/opt', false],
    ['/usr/bin/?g', '/usr/bin/rg', true],
    ['/usr/bin/?g', '/usr/bin/g', false],
    ['/usr/?bin/rg', '/usr/abin/rg', true],
    ['/usr?bin/rg', '/usr/bin/rg', false, '? is no separator'],
    ['/USR/bin/RG', '/usr/BIN/rg', true, 'either case'],
    ['/usr/bin/r', '/usr/bin/rg', false, 'the whole path'],
    ['/bin/rg', '/usr/bin/rg', false],
    ['/usr/bin/r.', '/usr/bin/rg', false, 'no regular expression'],
    ['/usr/bin/[r]g', '/usr/bin/rg', false],
    ['/usr/bin/(rg|jq)', '/usr/bin/rg', false],
    ['/a/{x,y}', '/a/x', false],
    ['/usr/bin/rg', 'usr/bin/rg', false, 'T42 what is not resolved'],
    ['/usr/bin/rg', '', false],
    ['~/bin/x', '/home/ada/bin/x', false, 'not expanded'],
    ['C:\\Tools\\*.exe', 'c:\\tools\\rg.exe', true],
    ['C:/Tools/*.exe', 'C:\\Tools\\sub\\rg.exe', false],
    ['/opt/*/b', '/opt/a\\/b', true],
    ['/opt/a\\b', '/opt/a/b', true],
    ['/opt/a/b', '/opt/a\\b', false, 'a backslash is a letter here'],
    ['/o\n*', '/o\nx', true],
    ['/ä/*', '/Ä/x', true],
    ['/***/x', '/a/b/x', true],
  ];
  for (const [pattern, path, expected, why] of cases)
    it(`${why ?? ''} ${JSON.stringify(pattern)} ${expected ? 'covers' : 'does not cover'} ${JSON.stringify(path)}`, () =>
      assert.equal(matchesPath(pattern, path), expected));

  it('~ is the home folder, at the beginning only', () => {
    assert.equal(expandPattern('~/bin/*', '/home/ada'), '/home/ada/bin/*');
    assert.equal(expandPattern('~', '/home/ada'), '/home/ada');
    for (const pattern of ['~bob/bin/x', '/opt/~/x']) assert.equal(expandPattern(pattern, '/home/ada'), pattern);
    assert.ok(matchesPath(expandPattern('~/bin/*', '/home/ada'), '/home/ada/bin/tool'));
  });

  it('only what names a place is a pattern', () => {
    assert.deepEqual(['rg', '*', 'a b', '/x', 'x\\y', '~', '~/x'].map(isPathPattern), [
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});

/** The rules once more, as a recursion that shares nothing with the code under test. */
function oracle(pattern: string, path: string): boolean {
  if (pattern === '') return path === '';
  if (pattern.startsWith('**')) {
    const rest = pattern.replace(/^\*+/, '');
    return Array.from({ length: path.length + 1 }, (_, at) => at).some((at) => oracle(rest, path.slice(at)));
  }
  if (pattern[0] === '*')
    return oracle(pattern.slice(1), path) || (path !== '' && path[0] !== '/' && oracle(pattern, path.slice(1)));
  if (path === '') return false;
  return (
    (pattern[0] === '?' ? path[0] !== '/' : pattern[0]!.toLowerCase() === path[0]!.toLowerCase()) &&
    oracle(pattern.slice(1), path.slice(1))
  );
}

const textOf = (letters: string, max: number) =>
  fc.array(fc.constantFrom(...letters), { maxLength: max }).map((chars) => `/${chars.join('')}`);

describe('properties of patterns', () => {
  it('they agree with an independent reading', () => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(textOf('aAb/**?', 9), textOf('ab/', 9), (pattern, path) => {
        const expected = oracle(pattern, path);
        seen[expected ? 'yes' : 'no'] += 1;
        return matchesPath(pattern, path) === expected;
      }),
      { numRuns: 20_000, seed: 20260115 },
    );
    assert.ok(seen.yes > 500 && seen.no > 500, JSON.stringify(seen));
  });

  it('a path covers itself, and without stars nothing of another length', () => {
    fc.assert(fc.property(textOf('abc./-_', 30), (path) => matchesPath(path, path) && !matchesPath(path, `${path}x`)));
  });

  it('nobody can make it slow', () => {
    const path = `/${'a'.repeat(3000)}`;
    assert.equal(matchesPath(`/${'*a'.repeat(200)}b`, path), false);
    assert.equal(matchesPath(`/${'**a'.repeat(200)}`, path), true);
  });
});
