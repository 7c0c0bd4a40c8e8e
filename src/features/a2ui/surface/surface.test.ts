/** Surfaces built from messages: values for paths, lists for templates, placeholders. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readJsonl } from '../check/read-jsonl.ts';
import { segmentsOf, valueAt, withValueAt, type Json } from './data-path.ts';
import { actionOf, resolveSurface, type ShownNode } from './resolve.ts';
import { surfaceFaults } from './surface-faults.ts';
import { applyMessages, NO_SURFACES, surfaceOf, type Surface, type Surfaces } from './surface.ts';

const KNOWN = new Set([
  'Text',
  'Column',
  'Row',
  'List',
  'Card',
  'Button',
  'Tabs',
  'Modal',
  'TextField',
  'MultipleChoice',
]);
const isKnown = (type: string): boolean => KNOWN.has(type);
const text = (path: string) => ({ Text: { text: { path } } });

async function built(...messages: readonly object[]): Promise<Surface> {
  const read = await readJsonl(messages.map((message) => JSON.stringify(message)).join('\n'));
  assert.ok(!read.faults, JSON.stringify(read.faults));
  const surface = surfaceOf(applyMessages(NO_SURFACES, read.messages), 'main');
  assert.ok(surface);
  return surface;
}
const components = (list: Readonly<Record<string, object>>) => ({
  surfaceUpdate: { surfaceId: 'main', components: Object.entries(list).map(([id, component]) => ({ id, component })) },
});
const data = (contents: readonly object[], path?: string) => ({
  dataModelUpdate: { surfaceId: 'main', ...(path !== undefined && { path }), contents },
});
const begin = { beginRendering: { surfaceId: 'main', root: 'root' } };
const textsOf = (node: ShownNode | undefined): readonly unknown[] =>
  node === undefined
    ? []
    : [
        ...(node.type === 'Text' ? [node.props['text']] : node.type === 'placeholder' ? ['!'] : []),
        ...node.children.flatMap(textsOf),
        ...Object.values(node.slots).flatMap(textsOf),
      ];
const shownTexts = (surface: Surface) => textsOf(resolveSurface(surface, isKnown).root);

describe('a surface', () => {
  it('shows nothing before beginRendering', async () => {
    assert.equal(resolveSurface(await built(components({ root: text('/a') })), isKnown).root, undefined);
  });

  it('upserts components by id, and replaces the whole model without a path', async () => {
    const surface = await built(
      components({ root: text('/a') }),
      data([
        { key: 'a', valueString: 'first' },
        { key: 'b', valueNumber: 1 },
      ]),
      begin,
      components({ root: text('/b') }),
      data([{ key: 'b', valueNumber: 2 }]),
    );
    assert.deepEqual(shownTexts(surface), [2]);
    assert.deepEqual(surface.data, { b: 2 });
  });

  it('writes at a path, at one value with the key ".", and beside what is there', async () => {
    const surface = await built(
      components({ root: text('/user/name') }),
      data([
        {
          key: 'user',
          valueMap: [
            { key: 'name', valueString: 'Ada' },
            { key: 'age', valueNumber: 36 },
          ],
        },
      ]),
      data([{ key: '.', valueString: 'Grace' }], '/user/name'),
      begin,
    );
    assert.deepEqual(surface.data, { user: { name: 'Grace', age: 36 } });
    assert.deepEqual(shownTexts(surface), ['Grace']);
  });

  it('repeats a template for each entry, with paths relative to it, in maps and in lists written as JSON', async () => {
    const rows = [
      { key: 'r1', valueMap: [{ key: 'n', valueString: 'a' }] },
      { key: 'r2', valueMap: [{ key: 'n', valueString: 'b' }] },
    ];
    const list = {
      root: { List: { children: { template: { componentId: 'row', dataBinding: '/rows' } } } },
      row: text('n'),
    };
    assert.deepEqual(shownTexts(await built(components(list), data([{ key: 'rows', valueMap: rows }]), begin)), [
      'a',
      'b',
    ]);
    const asJson = data([{ key: 'rows', valueString: '[{"n":"x"},{"n":"y"}]' }]);
    assert.deepEqual(shownTexts(await built(components(list), asJson, begin)), ['x', 'y']);
  });

  it('reads a literal beside a path until something is written there, from every component', async () => {
    const both = { a: { Text: { text: { path: '/p', literalString: 'start' } } }, b: text('/p') };
    const column = { root: { Column: { children: { explicitList: ['a', 'b'] } } }, ...both };
    assert.deepEqual(shownTexts(await built(components(column), begin)), ['start', 'start']);
    const written = await built(data([{ key: 'p', valueString: 'new' }]), components(column), begin);
    assert.deepEqual(shownTexts(written), ['new', 'new']);
  });

  it('keeps text text: what looks like JSON is shown as it is', async () => {
    const surface = await built(components({ root: text('/t') }), data([{ key: 't', valueString: '{"a":1}' }]), begin);
    assert.deepEqual(shownTexts(surface), ['{"a":1}']);
  });

  it('shows a placeholder and a fault for what is unknown, missing or circular, and ends', async () => {
    const ids = { explicitList: ['circle', 'missing', 'chart'] };
    const surface = await built(
      components({ root: { Column: { children: ids } }, circle: { Card: { child: 'root' } }, chart: { Chart: {} } }),
      begin,
    );
    const shown = resolveSurface(surface, isKnown);
    assert.deepEqual(textsOf(shown.root), ['!', '!', '!']);
    assert.deepEqual(
      shown.faults.map(({ message }) => message),
      ['component "root" contains itself', 'component "missing" does not exist', 'unknown component "Chart"'],
    );
    assert.deepEqual(
      surfaceFaults(surface, isKnown).map(({ kind }) => kind),
      ['unknown-component', 'circular', 'missing-component'],
    );
  });

  it('ends where components double at every level, and where they are nested very deep', async () => {
    const doubled = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        n === 0 ? 'root' : `r${n}`,
        { Row: { children: { explicitList: [`r${n + 1}`, `r${n + 1}`] } } },
      ]),
    );
    const wide = resolveSurface(await built(components({ ...doubled, r40: text('/a') }), begin), isKnown);
    assert.ok(wide.faults.length > 0);
    const nested = Object.fromEntries(
      Array.from({ length: 4000 }, (_, n) => [n === 0 ? 'root' : `c${n}`, { Card: { child: `c${n + 1}` } }]),
    );
    assert.match(resolveSurface(await built(components(nested), begin), isKnown).faults[0]!.message, /more than 50/);
    assert.ok(surfaceFaults(await built(components(nested), begin)).some(({ kind }) => kind === 'too-deep'));
  });

  it('gives an action its context as it is now', async () => {
    const action = {
      name: 'send',
      context: [
        { key: 'mail', value: { path: '/mail' } },
        { key: 'n', value: { literalNumber: 3 } },
        { key: 'nothing', value: { path: '/none' } },
      ],
    };
    const surface = await built(
      components({ root: { Button: { child: 't', action } }, t: text('/mail') }),
      data([{ key: 'mail', valueString: 'a@b.c' }]),
      begin,
    );
    const { root } = resolveSurface(surface, isKnown);
    assert.deepEqual(actionOf(surface, root!), { name: 'send', context: { mail: 'a@b.c', n: 3, nothing: null } });
    assert.equal(actionOf(surface, { id: 't', context: '' }), undefined);
  });

  it('is deleted, and an id may be spelled like a property of every object', async () => {
    const update = {
      surfaceUpdate: { surfaceId: '__proto__', components: [{ id: 'constructor', component: text('/__proto__/x') }] },
    };
    const write = {
      dataModelUpdate: { surfaceId: '__proto__', path: '/__proto__/x', contents: [{ key: '.', valueString: 'own' }] },
    };
    const read = await readJsonl([update, write].map((message) => JSON.stringify(message)).join('\n'));
    assert.ok(!read.faults);
    const surfaces = applyMessages(NO_SURFACES, read.messages);
    assert.equal(valueAt(surfaceOf(surfaces, '__proto__')!.data, ['__proto__', 'x']), 'own');
    assert.equal(({} as Record<string, unknown>)['x'], undefined);
    const gone = applyMessages(surfaces, [{ kind: 'delete', version: '0.8', surfaceId: '__proto__' }]);
    assert.equal(surfaceOf(gone, '__proto__'), undefined);
    assert.equal(surfaceOf(gone, 'toString'), undefined);
  });
});

describe('any order that the protocol allows, and any split', () => {
  const id = fc.stringMatching(/^[a-z]{1,6}$/);
  const scalar = fc.oneof(
    fc.string({ maxLength: 8 }).map((valueString) => ({ valueString })),
    fc.integer().map((valueNumber) => ({ valueNumber })),
    fc.boolean().map((valueBoolean) => ({ valueBoolean })),
  );
  const plan = fc.record({
    parts: fc.uniqueArray(fc.record({ id, path: id }), { selector: (one) => one.id, minLength: 1, maxLength: 12 }),
    values: fc.uniqueArray(fc.record({ key: id, value: scalar }), { selector: (one) => one.key, maxLength: 12 }),
    seed: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  });
  type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

  const together = ({ parts, values }: Plan): readonly object[] => [
    components({
      root: { Column: { children: { explicitList: parts.map((part) => `c-${part.id}`) } } },
      ...Object.fromEntries(parts.map((part) => [`c-${part.id}`, text(`/m/${part.path}`)])),
    }),
    data([{ key: 'm', valueMap: values.map(({ key, value }) => ({ key, ...value })) }]),
    begin,
  ];
  /** Each component and each value in a message of its own, in a random order. */
  const apart = ({ parts, values, seed }: Plan): readonly object[] => {
    const all = [
      components({ root: { Column: { children: { explicitList: parts.map((part) => `c-${part.id}`) } } } }),
      ...parts.map((part) => components({ [`c-${part.id}`]: text(`/m/${part.path}`) })),
      data([], '/m'),
      ...values.map(({ key, value }) => data([{ key: '.', ...value }], `/m/${key}`)),
      begin,
    ];
    // The map itself comes before what is in it: it would replace that.
    const shuffled = all
      .map((message, index) => ({ message, rank: seed[index % 60]! }))
      .toSorted((a, b) => a.rank - b.rank);
    const map = all[parts.length + 1]!;
    return [map, ...shuffled.map(({ message }) => message).filter((message) => message !== map)];
  };

  it('ends in the same surface', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const [one, other] = [await built(...together(given)), await built(...apart(given))];
        assert.deepEqual(sorted(other.components), sorted(one.components));
        assert.deepEqual(sorted(other.data), sorted(one.data));
        assert.deepEqual(other.root, one.root);
        assert.deepEqual(textsOf(resolveSurface(other, isKnown).root), textsOf(resolveSurface(one, isKnown).root));
      }),
      { numRuns: 200 },
    );
  });

  it('is the same whether messages are applied together or one by one, or kept as JSON in between', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const read = await readJsonl(
          apart(given)
            .map((message) => JSON.stringify(message))
            .join('\n'),
        );
        assert.ok(!read.faults);
        let surfaces: Surfaces = NO_SURFACES;
        for (const message of read.messages)
          surfaces = JSON.parse(JSON.stringify(applyMessages(surfaces, [message]))) as Surfaces;
        assert.deepEqual(surfaces, JSON.parse(JSON.stringify(applyMessages(NO_SURFACES, read.messages))));
      }),
      { numRuns: 100 },
    );
  });
});

describe('paths', () => {
  it('write what they read, and leave everything else alone', () => {
    const segments = fc.array(fc.constantFrom('a', 'b', '0', '1', '__proto__', 'x/y', 'a.b', ''), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), segments, (start, parts) => {
        const path = parts.filter((part) => part !== '');
        const before = JSON.stringify(start);
        assert.deepEqual(valueAt(withValueAt(start as Json, path, 'new'), path), path.length === 0 ? 'new' : 'new');
        assert.equal(JSON.stringify(start), before);
      }),
    );
  });

  it('are pointers, relative to a context, and in the older dotted spelling where a pointer finds nothing', () => {
    const model: Json = { 'a/b': 1, books: [{ title: 'T' }], 'c.d': 2 };
    assert.equal(valueAt(model, segmentsOf('/a~1b')), 1);
    assert.equal(valueAt(model, segmentsOf('title', '/books/0')), 'T');
    assert.equal(valueAt(model, segmentsOf('.', '/books/0/title')), 'T');
    assert.equal(valueAt(model, segmentsOf('books[0].title')), 'T');
    assert.equal(valueAt(model, segmentsOf('/c.d')), 2);
    assert.equal(valueAt(model, segmentsOf('/books/length')), undefined);
  });

  it('remove with nothing', () => {
    assert.deepEqual(withValueAt({ a: 1, b: 2 }, ['a'], undefined), { b: 2 });
    assert.deepEqual(withValueAt([1, 2], ['0'], undefined), [2]);
  });
});

/** Keys of objects in order, so that only content is compared. */
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      )
    : value;
