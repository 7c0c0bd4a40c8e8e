/** Every tool as each vendor's server receives it: equal to the recording, and valid by the vendor's documentation. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { declared, productTools, recordingText, recordTools, requestBody, WIRES } from '../../testing/record-tools.ts';
import { declarationProblems } from '../../testing/vendor-schemas.ts';
import { schemaFor } from './schema-for.ts';

const RECORDED = join(import.meta.dirname, 'recorded');

describe('the tools of the product on the wire', async () => {
  const tools = await productTools();
  const recordings = await recordTools(tools);

  it('are what was recorded; after a change that is meant: node scripts/record-tools.mjs', () => {
    assert.deepEqual(readdirSync(RECORDED).sort(), tools.map(({ name }) => `${name}.json`).sort());
    for (const [name, recording] of Object.entries(recordings))
      assert.equal(recordingText(recording), readFileSync(join(RECORDED, `${name}.json`), 'utf8'), name);
  });

  for (const [api] of WIRES)
    it(`are taken by ${api} (T217, T229)`, () => {
      for (const tool of tools) {
        const { name, description, schema } = declared(recordings[tool.name]![api]);
        assert.deepEqual(declarationProblems(api, { name, description, schema }), [], name);
        assert.deepEqual(schema, schemaFor(api, tool), `${name}: the client changes the schema on its way`);
        assert.doesNotMatch(
          JSON.stringify(schema),
          /"(anyOf|oneOf|allOf|\$ref|\$schema|\$defs)":|"type":"integer"/,
          `${name}: write a flat object with string enums and numbers`,
        );
      }
    });

  it('are left out altogether when there are none (T226)', async () => {
    for (const wire of WIRES) assert.equal('tools' in (await requestBody(wire, [])), false, wire[0]);
  });
});
