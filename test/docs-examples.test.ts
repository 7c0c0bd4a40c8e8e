/** Configuration examples in the docs are valid, and every template variable exists. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import JSON5 from 'json5';
import { LINK_VARIABLES, MEDIA_VARIABLES, MESSAGE_VARIABLES } from '../src/config/template-variables.ts';
import { configSchema } from '../src/testing/whole-schema.ts';

const DOCS = fileURLToPath(new URL('../docs', import.meta.url));
/** Provider pages show parts that plugins describe; reference pages are generated. */
const PAGES = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /^(concepts|how-to|start)\/.*\.md$/.test(name),
);
const examplesOf = (page: string): readonly string[] =>
  [...readFileSync(`${DOCS}/${page}`, 'utf8').matchAll(/```json5\n([\s\S]*?)```/g)].map(([, text]) => text!);

test('the pages have examples', () => {
  assert.ok(PAGES.flatMap(examplesOf).length > 15);
});

for (const page of PAGES) {
  for (const [index, example] of examplesOf(page).entries()) {
    test(`${page}, example ${index + 1}`, () => {
      // Included files are joined before the configuration is checked.
      const { $include: _files, ...written } = JSON5.parse<Record<string, unknown>>(example);
      const read = configSchema.parse(written);
      assert.deepEqual(lost(written, read), [], 'every key is known');
    });
  }
}

/** Paths of what was written and is not in what was read. */
function lost(written: unknown, read: unknown, path = ''): readonly string[] {
  if (typeof written !== 'object' || written === null) return [];
  const known = (read ?? {}) as Record<string, unknown>;
  return Object.entries(written).flatMap(([key, value]) =>
    key in known ? lost(value, known[key], `${path}.${key}`) : [`${path}.${key}`],
  );
}

test('the page of template variables names each of them once, and no other', () => {
  const rows = [...readFileSync(`${DOCS}/reference/template-variables.md`, 'utf8').matchAll(/^\| (`.*?) \|/gm)].flatMap(
    ([, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
  assert.deepEqual(rows.toSorted(), [...MESSAGE_VARIABLES, ...LINK_VARIABLES, ...MEDIA_VARIABLES].toSorted());
});
