/** Head and tail, windows of lines, names: the texts made of output. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { headTail } from './head-tail.ts';
import { logWindow } from './lines.ts';
import { nameOf } from './name.ts';

describe('head and tail', () => {
  it('keeps a text that fits', () => {
    assert.deepEqual(headTail('0123456789', { head: 4, tail: 6 }), { output: '0123456789', cut: 0 });
    assert.deepEqual(headTail('', { head: 0, tail: 0 }), { output: '', cut: 0 });
  });

  it('says how much is missing in between', () => {
    const { output, cut } = headTail('x'.repeat(1000), { head: 100, tail: 300 });
    assert.equal(cut, 600);
    assert.equal(output, `${'x'.repeat(100)}\n[… 600 characters left out …]\n${'x'.repeat(300)}`);
  });

  it('cuts between lines when one ends close by', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join('');
    const { output } = headTail(lines, { head: 100, tail: 100 });
    for (const line of output.trimEnd().split('\n')) assert.match(line, /^line \d+$|^\[… \d+ characters left out …\]$/);
  });

  it('never cuts a character and counts exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), fc.nat(120), fc.nat(120), (text, head, tail) => {
        const { output, cut } = headTail(text, { head, tail });
        assert.ok(output.isWellFormed() || !text.isWellFormed());
        if (cut === 0) return assert.equal(output, text);
        const [before = '', after = ''] = output.split(`[… ${cut} characters left out …]\n`);
        assert.ok(text.startsWith(before) || text.startsWith(before.slice(0, -1)));
        assert.ok(text.endsWith(after));
        assert.ok(before.length <= head + 1 && after.length <= tail);
      }),
    );
  });
});

describe('windows of a log', () => {
  const three = 'one\ntwo\nthree\n';
  it('T61 a limit alone shows the last lines', () => {
    assert.deepEqual(logWindow(three, { limit: 2 }), { output: 'two\nthree', firstLine: 1, lines: 2, totalLines: 3 });
  });
  it('T62 offset and limit show that window', () => {
    assert.deepEqual(logWindow('alpha\nbeta\ngamma', { offset: 1, limit: 1 }), {
      output: 'beta',
      firstLine: 1,
      lines: 1,
      totalLines: 3,
    });
  });
  it('an offset alone goes to the end', () => {
    assert.deepEqual(logWindow(three, { offset: 1 }), { output: 'two\nthree', firstLine: 1, lines: 2, totalLines: 3 });
  });
  it('T79 neither shows the last 200', () => {
    const window = logWindow(Array.from({ length: 10_000 }, (_, index) => `${index}\n`).join(''), {});
    assert.deepEqual([window.firstLine, window.lines, window.totalLines], [9800, 200, 10_000]);
    assert.ok(window.output.startsWith('9800\n') && window.output.endsWith('\n9999'));
  });
  it('edges: Windows line ends, negative, zero, past the end, nothing, odd numbers', () => {
    assert.equal(logWindow('a\r\nb\r\n', {}).output, 'a\nb');
    assert.equal(logWindow(three, { offset: -5, limit: 1 }).output, 'one');
    assert.deepEqual(logWindow(three, { limit: 0 }), { output: '', firstLine: 3, lines: 0, totalLines: 3 });
    assert.equal(logWindow(three, { limit: -1 }).output, '');
    assert.deepEqual(logWindow(three, { offset: 9 }), { output: '', firstLine: 3, lines: 0, totalLines: 3 });
    assert.deepEqual(logWindow('', {}), { output: '', firstLine: 0, lines: 0, totalLines: 0 });
    assert.deepEqual(logWindow('\n', {}), { output: '', firstLine: 0, lines: 1, totalLines: 1 });
    assert.equal(logWindow(three, { offset: 1.9, limit: Number.NaN }).output, 'two\nthree');
  });
});

describe('names of commands', () => {
  for (const [command, name] of [
    ['echo hello', 'echo hello'],
    ['ls -la', 'ls'],
    ['npm --silent run build', 'npm run'],
    ['FOO=1 BAR="a b" make all', 'make all'],
    ['TOKEN=s3cret', 'TOKEN='],
    ["grep 'two words' file", 'grep two words'],
    ['cat "a b.txt"', 'cat a b.txt'],
    ["python3 -c 'print(1)\nprint(2)'", 'python3 print(1) print(2)'],
    ['  sleep\n\n60', 'sleep 60'],
    ['', ''],
    ['"', '"'],
  ] as const)
    it(`${JSON.stringify(command)} is ${JSON.stringify(name)}`, () => assert.equal(nameOf(command), name));

  it('are at most 48 characters, shortened in the middle', () => {
    const name = nameOf(`cat /${'very/'.repeat(30)}deep.txt`);
    assert.equal(name.length, 48);
    assert.match(name, /^cat \/very.*….*deep\.txt$/);
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (command) => assert.ok([...nameOf(command)].length <= 48)));
    assert.ok(nameOf('"'.repeat(100_000)).length <= 48);
  });
});
