/** The paths of the canvas, under every name and in unusual notations. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddress } from './canvas-address.ts';

const kindOf = (path: string): unknown => {
  const read = readAddress(path);
  return typeof read === 'object'
    ? [read.kind, 'id' in read ? read.id : undefined, 'path' in read ? read.path : undefined, read.token]
    : read;
};

describe('addresses of the canvas', () => {
  for (const name of ['clawdbot', 'moltbot', 'openclaw']) {
    it(`are read below /__${name}__`, () => {
      const at = `/__${name}__`;
      assert.deepEqual(kindOf(`${at}/canvas/documents/cv_1/index.html`), ['document', 'cv_1', 'index.html', undefined]);
      assert.deepEqual(kindOf(`${at}/canvas/documents/cv_1/`), ['document', 'cv_1', 'index.html', undefined]);
      assert.deepEqual(kindOf(`${at}/cap/t.k/canvas/documents/cv_1/a/b%20c.png`), [
        'document',
        'cv_1',
        'a/b c.png',
        't.k',
      ]);
      assert.deepEqual(kindOf(`${at}/canvas`), ['file', undefined, '', undefined]);
      assert.deepEqual(kindOf(`${at}/canvas/`), ['file', undefined, '', undefined]);
      assert.deepEqual(kindOf(`${at}/cap/t.k/canvas/app/x.js`), ['file', undefined, 'app/x.js', 't.k']);
      assert.equal(readAddress(`${at}/a2ui/t0ken/`), undefined, 'surfaces are another feature');
      assert.deepEqual(kindOf(`${at}/cap/t.k/ws`), ['live', undefined, undefined, 't.k']);
      assert.deepEqual(kindOf(`/__${name}/ws`), ['live', undefined, undefined, undefined]);
    });
  }

  const BAD = [
    '/__openclaw__/canvas/documents/cv_1',
    '/__openclaw__/canvas/documents/',
    '/__openclaw__/canvas/documents/../x',
    '/__openclaw__/canvas/documents/%2e%2e/x',
    '/__openclaw__/canvas/documents/a%2fb/index.html',
    '/__openclaw__/canvas/documents/cv_1/%2e%2e/cv_2/index.html',
    '/__openclaw__/canvas/documents/cv_1/..%2f..%2fx',
    '/__openclaw__/canvas/../x',
    '/__openclaw__/canvas/.git/config',
    '/__openclaw__/canvas/a%00b',
    '/__openclaw__/canvas/a%5cb',
    '/__openclaw__/canvas/C:/x',
    '/__openclaw__/canvas/a//b',
    '/__openclaw__/canvas/%zz',
    '/__openclaw__/other/x',
    '/__openclaw__',
  ];
  for (const path of BAD) it(`T182 ${path} names nothing`, () => assert.equal(readAddress(path), 'bad'));

  it('others are not of the canvas', () => {
    for (const path of ['/', '/canvas/x', '/__openclaw/canvas', '/__other__/canvas/x'])
      assert.equal(readAddress(path), undefined, path);
  });
});
