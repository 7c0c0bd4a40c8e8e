/** A2UI messages as JSONL, as agents and people write them: each error names its line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../core/errors.ts';
import { MAX_JSONL_CHARS } from '../limits.ts';
import { faultText, mustReadJsonl, readJsonl, textMessages } from './read-jsonl.ts';

const begin = '{"beginRendering":{"surfaceId":"main","root":"root"}}';
const update = (components: unknown) => JSON.stringify({ surfaceUpdate: { surfaceId: 'main', components } });
const faultsOf = async (text: string): Promise<string> => {
  const { faults } = await readJsonl(text);
  assert.ok(faults, `no fault in ${text}`);
  return faultText(faults);
};

describe('JSONL of A2UI', () => {
  it('reads --text as a column with one text, then its beginning (15.5, 122)', async () => {
    const lines = textMessages('hi').split('\n');
    assert.deepEqual(
      lines.map((line) => Object.keys(JSON.parse(line) as object)),
      [['surfaceUpdate'], ['beginRendering']],
    );
    const read = await readJsonl(lines.join('\n'));
    assert.deepEqual(read.faults, undefined);
    assert.deepEqual(
      read.messages?.map(({ kind, surfaceId }) => [kind, surfaceId]),
      [
        ['components', 'main'],
        ['begin', 'main'],
      ],
    );
  });

  it('rejects messages of v0.9 with their lines (15.5, 123)', async () => {
    const text = await faultsOf('{"version":"v0.9","createSurface":{"surfaceId":"a","catalogId":"b"}}');
    assert.match(text, /supports v0\.8 only/);
    assert.match(text, /line 1: createSurface is A2UI v0\.9/);
    const later = await faultsOf('{"version":"v1.0","updateComponents":{"surfaceId":"a","components":[]}}');
    assert.match(later, /supports v0\.8 only[\s\S]*line 1: updateComponents is A2UI v1\.0/);
    assert.match(await faultsOf('{"version":1,"beginRendering":{}}'), /line 1: version is A2UI v0\.9/);
  });

  it('names the line of broken JSON, blank lines counted (15.5, 124)', async () => {
    assert.match(await faultsOf(`${begin}\n\n{"a":`), /line 3: /);
  });

  it('wants one action a line, one version, and anything at all (15.5, 125)', async () => {
    assert.match(
      await faultsOf('{"surfaceUpdate":{},"deleteSurface":{}}'),
      /line 1: expected exactly one action key \(surfaceUpdate, .*createSurface\), found surfaceUpdate, deleteSurface/,
    );
    assert.match(await faultsOf(`${begin}\n{"createSurface":{}}`), /mixed A2UI versions/);
    assert.match(await faultsOf(' \n\n'), /no JSONL messages found/);
    for (const line of ['[]', '"a"', 'null', '3']) assert.match(await faultsOf(line), /line 1: expected JSON object/);
    assert.match(await faultsOf('{}'), /expected exactly one action key/);
  });

  it('lists all faults of all lines, with the place of each', async () => {
    const text = await faultsOf(
      [
        update([{ id: 'a', component: { Text: { text: 'plain' } } }]),
        update([{ id: 'b', component: { Button: { child: 'a' } } }]),
        '{"beginRendering":{"surfaceId":"main"}}',
        update([{ id: 'c', component: { Text: {}, Row: {} } }]),
        update([{ id: 'd', component: { Text: { text: { literalString: 'x' }, colour: 'red' } } }]),
      ].join('\n'),
    );
    assert.match(
      text,
      /^Invalid A2UI JSONL:\n- line 1: surfaceUpdate\.components\[0\] \(a\)\.Text\.text: expected object/,
    );
    assert.match(text, /line 2: surfaceUpdate\.components\[0\] \(b\)\.Button\.action: is required/);
    assert.match(text, /line 3: beginRendering\.root: is required/);
    assert.match(text, /line 4: .*exactly one component name/);
    assert.match(text, /line 5: .*unknown "colour"/);
  });

  it('lets components through that the catalogue does not have: they become placeholders', async () => {
    assert.equal((await readJsonl(update([{ id: 'a', component: { Chart: { any: 1 } } }]))).faults, undefined);
    assert.equal((await readJsonl(update([{ id: 'a', component: { constructor: {} } }]))).faults, undefined);
  });

  it('wants exactly one value in each entry of data, and pointers with known escapes', async () => {
    const data = (body: object) => faultsOf(JSON.stringify({ dataModelUpdate: { surfaceId: 'main', ...body } }));
    assert.match(await data({ contents: [{ key: 'a' }] }), /exactly one of valueString/);
    assert.match(await data({ contents: [{ key: 'a', valueString: 'x', valueNumber: 1 }] }), /exactly one of/);
    assert.match(await data({ path: '/a/~2', contents: [] }), /Invalid path syntax/);
    assert.match(await data({ path: '/a'.repeat(80), contents: [] }), /at most 64 parts/);
    assert.match(await data({}), /contents: is required/);
  });

  it('bounds size and depth', async () => {
    assert.match(await faultsOf('x'.repeat(MAX_JSONL_CHARS + 1)), /larger than 2 MiB/);
    assert.match(await faultsOf(`${begin}\n${' '.repeat(10)}"${'x'.repeat(600_000)}"`), /line 2: longer than 256 KiB/);
    const deep = '['.repeat(200_000);
    assert.match(await faultsOf(deep), /line 1: /);
    let map: object = { key: 'a', valueString: 'x' };
    for (let depth = 0; depth < 40; depth++) map = { key: 'a', valueMap: [map] };
    assert.match(await faultsOf(JSON.stringify({ dataModelUpdate: { surfaceId: 's', contents: [map] } })), /line 1: /);
  });

  it('throws one error with every fault and an example that is right', async () => {
    const error: unknown = await mustReadJsonl('{}').then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof AppError && error.code === 'invalid');
    const [, example = ''] = error.message.split('Example, one message a line:\n');
    assert.equal((await readJsonl(example)).faults, undefined);
  });
});
