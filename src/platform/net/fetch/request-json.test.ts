/** The JSON of requests whose tools are kept says what `JSON.stringify` says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequestJson } from './request-json.ts';

const schema = { type: 'object', properties: { path: { type: 'string' } } };
const tool = (name: string, parameters: unknown = schema): object => ({
  type: 'function',
  function: { name, description: `does "${name}"`, parameters },
});

test('tools that are the same, that changed, that come back, and none at all', () => {
  const requestJson = createRequestJson();
  const lists = [
    [tool('read'), tool('write')],
    [tool('read')],
    [tool('read'), tool('write', { type: 'object' })],
    [tool('write'), tool('read')],
    [{ ...tool('read'), strict: true }],
    [{ ...tool('read'), strict: undefined }],
  ];
  for (const tools of [...lists, ...lists.map((list) => structuredClone(list)), [], undefined])
    for (const rest of [{}, { model: 'm', stream: true, top: undefined }]) {
      const body = { ...rest, tools };
      assert.deepEqual(JSON.parse(requestJson(body)), JSON.parse(JSON.stringify(body)));
    }
});

test('other bodies are written as they are', () => {
  const requestJson = createRequestJson();
  for (const body of [null, [1, 2], 'text', { tools: 'none' }]) assert.equal(requestJson(body), JSON.stringify(body));
});

test('the text of tools that did not change is not made again', () => {
  const requestJson = createRequestJson();
  let made = 0;
  const parameters = { toJSON: () => void (made += 1) };
  for (let turn = 0; turn < 3; turn++) requestJson({ turn, tools: [tool('read', parameters)] });
  assert.equal(made, 1);
});
