/** Which addresses belong to the canvas, and which tool previews are accepted. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canvasPath, documentIdOf, documentUrl, preferredHeightOf, previewsByTools } from './canvas.ts';

describe('addresses of the canvas', () => {
  const OURS: readonly (readonly [string, string | undefined])[] = [
    ['/__openclaw__/canvas/documents/cv_1/index.html', 'cv_1'],
    ['/__clawdbot__/canvas/documents/cv_1/', 'cv_1'],
    ['/__moltbot__/canvas/', undefined],
    ['/__openclaw__/a2ui/?x=1', undefined],
    ['/__openclaw__/canvas/x/../y.html', undefined],
  ];
  for (const [url, id] of OURS)
    it(`${url} is one`, () => {
      assert.ok(canvasPath(url));
      assert.equal(documentIdOf(canvasPath(url)!), id);
    });

  const OTHERS = [
    'https://example.com/__openclaw__/canvas/x',
    '//example.com/__openclaw__/canvas/x',
    '/\\example.com/__openclaw__/canvas/x',
    'javascript:alert(1)',
    'data:text/html,x',
    '/chat',
    '/__openclaw__/cap/x/canvas/y',
    '/__openclaw__/canvas/../../chat',
    '/__openclaw__/canvas/%2e%2e/%2e%2e/chat',
    '/__openclaw__/canvas/x%2f..%2f..%2fchat',
    '/__openclaw__/canvasx/y',
    '/__openclaw__/canvas/a\nb',
    'http://localhost/__openclaw__/canvas/x',
    '',
  ];
  for (const url of OTHERS) it(`${JSON.stringify(url)} is none`, () => assert.equal(canvasPath(url), undefined));

  it('T181 an id that is no path is encoded', () => {
    assert.equal(documentUrl('a/b'), '/__openclaw__/canvas/documents/a%2Fb/index.html');
    assert.equal(canvasPath(documentUrl('a/b')), undefined);
  });

  it('T177 a height is a number from 160 to 1200', () => {
    const read = [90, 5000, 'abc', '', ' 320.7 ', 160, null, undefined, Infinity].map(preferredHeightOf);
    assert.deepEqual(read, [undefined, 1200, undefined, undefined, 320, 160, undefined, undefined, undefined]);
  });
});

describe('previews of tools', () => {
  const result = (preview: unknown, rest: object = {}) => ({
    role: 'toolResult',
    isError: false,
    details: { preview },
    ...rest,
  });
  const url = documentUrl('cv_1');

  it('are read once for each document, the last of several', () => {
    const found = previewsByTools([
      result({ kind: 'canvas', url, title: 'First', viewId: 'somebody-else' }),
      result({ kind: 'canvas', url: '/__clawdbot__/canvas/page.html' }),
      result({ kind: 'canvas', url, title: ' Second ', preferredHeight: 90 }),
      { role: 'assistant' },
    ]);
    assert.deepEqual(
      found.map(({ viewId, title, url: at, preferredHeight }) => [viewId, title, at, preferredHeight]),
      [
        ['cv_1', 'Second', url, undefined],
        [undefined, undefined, '/__clawdbot__/canvas/page.html', undefined],
      ],
    );
  });

  const BAD = [
    undefined,
    null,
    'x',
    { kind: 'view', url },
    { kind: 'canvas', url: 'https://example.com/' },
    { kind: 'canvas', url: 5 },
    { kind: 'canvas', url, surface: 'node_panel' },
  ];
  for (const bad of BAD)
    it(`${JSON.stringify(bad)} is none`, () => assert.deepEqual(previewsByTools([result(bad)]), []));

  it('of a call that failed are none', () =>
    assert.deepEqual(previewsByTools([result({ kind: 'canvas', url }, { isError: true })]), []));
});
