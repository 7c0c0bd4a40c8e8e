import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import JSON5 from 'json5';
import { changeText } from './json5-text.ts';

const set = (text: string, path: string[], value: unknown): string => changeText(text, { kind: 'set', path, value });
const del = (text: string, path: string[]): string => changeText(text, { kind: 'delete', path });

test('a value changes and nothing else does', () => {
  const text = `// head\n{\n  a: 1, // one\n  /* two */ 'b': "x",\n  // end\n}\n// tail\n`;
  assert.equal(set(text, ['b'], [true, null]), text.replace('"x"', '[true, null]'));
});

test('a new key takes the looks of its neighbours', () => {
  assert.equal(set('{\n\ta: 1, // one\n}\n', ['b'], 'x'), '{\n\ta: 1, // one\n\tb: "x",\n}\n');
  assert.equal(
    set('{\n    "a": 1 // one\n}', ['b'], { c: 1 }),
    '{\n    "a": 1, // one\n    "b": {\n        "c": 1\n    }\n}',
  );
  assert.equal(set('{a: 1}', ['b'], { c: 1 }), '{a: 1, b: { c: 1 }}');
  assert.equal(set('{\r\n  a: 1\r\n}', ['b'], 2), '{\r\n  a: 1,\r\n  b: 2\r\n}');
  assert.equal(
    set('{\n  "my-key": {\n    "a": 1\n  }\n}', ['my-key', 'b'], 2),
    '{\n  "my-key": {\n    "a": 1,\n    "b": 2\n  }\n}',
  );
});

test('an empty text, an empty object, and one that holds only comments are filled', () => {
  assert.equal(set('', ['a'], 1), '{\n  "a": 1\n}\n');
  assert.equal(set('{\n  a: {},\n}', ['a', 'b'], 1), '{\n  a: {\n    b: 1\n  },\n}');
  assert.equal(set('{\n  // todo later\n}\n', ['a'], 1), '{\n  // todo later\n  "a": 1\n}\n');
  assert.equal(set('{ /* c */ }', ['a'], 1), '{ /* c */ "a": 1 }');
});

test('a removed key takes its line along, and no comma stays behind in plain JSON', () => {
  assert.equal(
    del('{\n  a: 1,\n  // about b\n  b: 2, // gone\n  c: 3\n}', ['b']),
    '{\n  a: 1,\n  // about b\n  c: 3\n}',
  );
  assert.equal(del('{\n  "a": 1,\n  "b": 2\n}', ['b']), '{\n  "a": 1\n}');
  assert.equal(del('{ a: 1, b: 2 }', ['b']), '{ a: 1 }');
  assert.equal(del('{ a: 1, b: 2 }', ['a']), '{ b: 2 }');
  assert.equal(del('{ a: 1 }', ['a']), '{  }');
  assert.equal(del('{a: 1, a: 2, b: 3}', ['a']), '{b: 3}');
  assert.equal(del('{ a: 1, // one\n  b: 2, c: 3, // x\n}', ['c']), '{ a: 1, // one\n  b: 2, // x\n}');
});

test('list elements are inserted, replaced and removed in place', () => {
  const text = '{\n  list: [\n    // first\n    { id: 1 }, // one\n    { id: 2 },\n  ],\n}';
  assert.equal(
    changeText(text, { kind: 'splice', path: ['list'], start: 1, remove: 0, items: [{ id: 9 }] }),
    text.replace('// one\n', '// one\n    {\n      id: 9\n    },\n'),
  );
  assert.equal(
    changeText(text, { kind: 'splice', path: ['list'], start: 1, remove: 1, items: [] }),
    text.replace('    { id: 2 },\n', ''),
  );
  assert.equal(
    changeText('{l: [1, 2]}', { kind: 'splice', path: ['l'], start: 0, remove: 0, items: [0] }),
    '{l: [0, 1, 2]}',
  );
});

test('every spelling the language has is understood', () => {
  const text =
    "\ufeff{ default: +0x1F, 'it\\'s': 'multi\\\nline', \\u0061b: .5e-3/*c*/, null: -Infinity, \"\\x41\": " +
    "'\\x41\\u2028', ünï: [1,/**/], }";
  const after = set(text, ['default'], true);
  assert.equal(after, text.replace('+0x1F', 'true'));
  assert.equal(set(after, ["it's"], 1), after.replace("'multi\\\nline'", '1'));
  assert.equal(set(after, ['ab'], 1), after.replace('.5e-3', '1'));
  assert.equal(set(after, ['null'], 1), after.replace('-Infinity', '1'));
  assert.equal(set(after, ['A'], 1), after.replace("'\\x41\\u2028'", '1'));
  assert.equal(set(after, ['ünï', '1'], 2), after.replace('[1,/**/]', '[1, 2,/**/]'));
});

test('text that cannot be edited faithfully is refused, not damaged', () => {
  assert.throws(() => set('{ a: 1', ['b'], 1), { code: 'unsupported' });
  assert.throws(
    () => set('{}', ['b'], [undefined]),
    { code: 'unsupported' },
    'what JSON cannot hold would be read back as something else',
  );
});

// ---- properties ----

const key = fc
  .oneof(fc.constantFrom('a', 'b', 'port', '$x', '_y', 'default', 'null', 'NaN'), fc.string({ maxLength: 6 }))
  .filter((name) => name !== '__proto__');
const scalar = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
);
const { value: jsonValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const document = fc.dictionary(key, jsonValue, { maxKeys: 5, noNullPrototype: true });
const layout = fc.record({
  unit: fc.constantFrom('', '  ', '\t', '    '),
  comments: fc.boolean(),
  trailing: fc.boolean(),
  bare: fc.boolean(),
  eol: fc.constantFrom('\n', '\r\n'),
});
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

/** Writes a value in some person's style, with a numbered comment wherever one may stand. */
function write(value: unknown, style: Layout, notes: string[], indent = ''): string {
  const note = (block: boolean): string => {
    if (!style.comments) return '';
    const text = `note ${notes.length}: "it's { , }`;
    notes.push(text);
    return block || style.unit === '' ? `/* ${text} */ ` : `// ${text}${style.eol}${indent}${style.unit}`;
  };
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const open = Array.isArray(value) ? '[]' : '{}';
  const entries = Object.entries(value).map(([name, item]) => {
    const spelled = style.bare && /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${note(false)}${Array.isArray(value) ? '' : `${spelled}: `}${note(true)}${write(item, style, notes, indent + style.unit)}`;
  });
  const gap = style.unit === '' ? ' ' : `${style.eol}${indent}${style.unit}`;
  const end = style.unit === '' ? ' ' : `${style.eol}${indent}`;
  if (entries.length === 0) return open;
  return `${open[0]}${gap}${entries.join(`,${gap}`)}${style.trailing ? ',' : ''}${end}${open[1]}`;
}

test('property: what is set is read back, the rest stays equal, and every comment outside the value survives', () => {
  fc.assert(
    fc.property(document, layout, key, jsonValue, (doc, style, name, value) => {
      const notes: string[] = [];
      const text = write(doc, style, notes);
      const inside: string[] = [];
      if (Object.hasOwn(doc, name)) write(doc[name], style, inside);
      const after = set(text, [name], value);
      assert.deepEqual(JSON5.parse(after), { ...doc, [name]: value });
      const lost = notes.filter((note) => !after.includes(note));
      assert.ok(lost.length <= inside.length, `lost ${lost.join()} in\n${text}\n→\n${after}`);
    }),
    { numRuns: 400 },
  );
});

test('property: what is removed is gone, and only comments on its own lines go with it', () => {
  fc.assert(
    fc.property(
      document.filter((doc) => Object.keys(doc).length > 0),
      layout,
      fc.nat(),
      (doc, style, pick) => {
        const names = Object.keys(doc);
        const name = names[pick % names.length]!;
        const notes: string[] = [];
        const text = write(doc, style, notes);
        const after = del(text, [name]);
        const { [name]: _, ...rest } = doc;
        assert.deepEqual(JSON5.parse(after), rest);
        const before: string[] = [];
        for (const other of names.filter((candidate) => candidate !== name))
          write({ [other]: doc[other] }, style, before);
        assert.ok(notes.filter((note) => after.includes(note)).length >= before.length, `${text}\n→\n${after}`);
      },
    ),
    { numRuns: 300 },
  );
});

test('property: any splice of a list gives the spliced list', () => {
  fc.assert(
    fc.property(
      fc.array(jsonValue, { maxLength: 5 }),
      layout,
      fc.nat(5),
      fc.nat(5),
      fc.array(jsonValue, { maxLength: 3 }),
      (list, style, from, count, items) => {
        const start = Math.min(from, list.length);
        const remove = Math.min(count, list.length - start);
        const after = changeText(write({ list }, style, []), { kind: 'splice', path: ['list'], start, remove, items });
        const expected = [...list];
        expected.splice(start, remove, ...items);
        assert.deepEqual(JSON5.parse(after), { list: expected });
      },
    ),
    { numRuns: 300 },
  );
});
