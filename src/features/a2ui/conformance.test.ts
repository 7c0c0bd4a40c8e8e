/** Runs the public conformance cases of A2UI against the parser and the surface, and prints the score. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';
import { CATALOG_0_8 } from './check/catalog-0-8.ts';
import { readJsonl } from './check/read-jsonl.ts';
import { resolveSurface } from './surface/resolve.ts';
import { surfaceFaults } from './surface/surface-faults.ts';
import { applyMessages, NO_SURFACES } from './surface/surface.ts';

interface Case {
  readonly name: string;
  readonly version: string;
  readonly catalog: { readonly components: Readonly<Record<string, object>> };
  readonly steps: readonly { readonly payload: readonly object[]; readonly error?: string }[];
}
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`conformance/${name}`, import.meta.url), 'utf8'));
const { cases } = read('validator.json') as { readonly cases: readonly Case[] };
const { examples } = read('examples.json') as {
  readonly examples: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>;
};

/** The suite quotes the words of a Python library; ours say the same of the same place. */
const OURS: readonly (readonly [RegExp, RegExp])[] = [
  [/is not of type '(\w+)'/, /expected (string|object|record)/],
  [/Invalid path syntax/, /Invalid path syntax/],
];
const saysSo = (error: string, text: string): boolean =>
  new RegExp(error).test(text) || OURS.some(([theirs, ours]) => theirs.test(error) && ours.test(text));

async function faultsOf(payload: readonly object[], catalog: Case['catalog']): Promise<string> {
  const schemas = Object.entries(catalog.components).map(([name, schema]) => [name, z.fromJSONSchema(schema as never)]);
  const messages = await readJsonl(
    payload.map((message) => JSON.stringify(message)).join('\n'),
    Object.fromEntries(schemas),
  );
  if (messages.faults) return messages.faults.map(({ message }) => message).join('\n');
  const begun = payload.some((message) => 'surfaceUpdate' in message);
  const surfaces = Object.values(applyMessages(NO_SURFACES, messages.messages));
  return begun
    ? surfaces
        .flatMap((surface) => surfaceFaults(surface))
        .map(({ message }) => message)
        .join('\n')
    : '';
}

test('the validator suite of A2UI 0.8', async (t) => {
  const ours = cases.filter(({ version }) => version === '0.8');
  const failed: string[] = [];
  for (const { name, catalog, steps } of ours)
    for (const { payload, error } of steps) {
      const faults = await faultsOf(payload, catalog);
      if (error === undefined ? faults !== '' : !saysSo(error, faults)) failed.push(`${name}: ${error} / ${faults}`);
    }
  t.diagnostic(`${ours.length - new Set(failed.map((line) => line.split(':')[0])).size} of ${ours.length} cases`);
  assert.equal(ours.length, 25);
  assert.deepEqual(failed, []);
});

test('every published example of A2UI 0.8 is read without a fault and shown without a placeholder', async (t) => {
  const all = Object.entries(examples['0_8'] ?? {});
  for (const [name, payload] of all) {
    const messages = await readJsonl(payload.map((message) => JSON.stringify(message)).join('\n'));
    assert.ok(!messages.faults, `${name}: ${JSON.stringify(messages.faults)}`);
    for (const surface of Object.values(applyMessages(NO_SURFACES, messages.messages))) {
      const shown = resolveSurface(surface, (type) => Object.hasOwn(CATALOG_0_8, type));
      assert.deepEqual(shown.faults, [], name);
      assert.ok(shown.root, name);
    }
  }
  t.diagnostic(`${all.length} of ${all.length} examples`);
  assert.equal(all.length, 35);
});

test('all 18 components of the standard catalogue are known', () => {
  assert.equal(Object.keys(CATALOG_0_8).length, 18);
});
