/** Addresses a surface may load, formatting of its texts, and the input a viewer keeps. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitsPattern } from './check-text.ts';
import { edited, NEW_CANVAS, received, withEdits } from './live-canvas.ts';
import { mediaAddress, safeColour, safeFont } from './safe-url.ts';
import type { Surface } from './surface.ts';
import { textLines, wordsOf } from './text-parts.ts';

describe('an address on a surface', () => {
  const of = (url: unknown, remote: 'ask' | 'allow' | 'block' = 'ask', allowed: string[] = []) =>
    mediaAddress(url, 'image', remote, new Set(allowed)).kind;

  it('loads from the gateway and from data, and from other hosts as the settings say', () => {
    assert.equal(of('/__clawdbot__/canvas/a.png'), 'load');
    assert.equal(of('data:image/png;base64,AA'), 'load');
    assert.deepEqual(
      [of('https://a.b/c'), of('https://a.b/c', 'allow'), of('https://a.b/c', 'block')],
      ['ask', 'load', 'refused'],
    );
    assert.deepEqual([of('https://a.b/c', 'ask', ['a.b']), of('https://x.y/c', 'ask', ['a.b'])], ['load', 'ask']);
  });

  it('is nothing else', () => {
    for (const url of [
      'javascript:1',
      'data:text/html,x',
      'data:image/x',
      'file:///a',
      '//a.b/c',
      '/etc/passwd',
      '/__clawdbot__/x?y',
      '',
      5,
      null,
    ])
      assert.equal(of(url, 'allow'), 'refused', String(url));
    assert.deepEqual(
      [safeColour('#12aBcD'), safeColour('red'), safeColour('#123456;x')],
      ['#12aBcD', undefined, undefined],
    );
    assert.deepEqual(
      [safeFont('Inter, "A B"'), safeFont('x;y'), safeFont('url(a)')],
      ['Inter, "A B"', undefined, undefined],
    );
  });
});

describe('a text on a surface', () => {
  it('is bold, italic, code or a bullet, and else what it is', () => {
    const [line, bullet] = textLines('a **b** *c* `d` <i>\n- e');
    assert.deepEqual(
      line?.parts.map(({ style, text }) => `${style}:${text}`),
      ['plain:a ', 'bold:b', 'plain: ', 'italic:c', 'plain: ', 'code:d', 'plain: <i>'],
    );
    assert.deepEqual([line?.bullet, bullet?.bullet, bullet?.parts[0]?.text], [false, true, 'e']);
    assert.deepEqual([wordsOf(null), wordsOf(1), wordsOf({ a: 1 })], ['', '1', '{"a":1}']);
  });

  it('fits a pattern, unless the pattern could take long', () => {
    assert.deepEqual([fitsPattern('a@b', '[^@ ]+@[^@ ]+'), fitsPattern('ab', '[^@ ]+@[^@ ]+')], [true, false]);
    assert.deepEqual([fitsPattern('12', '\\d{4}'), fitsPattern('+1 (2)', '[+()0-9 ]{3,20}')], [false, true]);
    for (const pattern of ['(a+)+$', '(a|a)*$', '((a)+)*b', '(?:a?)+b', 'a*a*a*a*b', '(a)\\1', '('])
      assert.equal(fitsPattern('a'.repeat(100), pattern), true, pattern);
  });
});

describe('what a person types', () => {
  const surface: Surface = { id: 's', version: '0.8', components: {}, data: { a: 1, b: 2 }, styles: {} };
  const snapshot = (data: Surface['data']) =>
    ({ kind: 'snapshot', surfaces: { s: { ...surface, data } }, view: { visible: true }, remoteMedia: 'ask' }) as const;
  const dataOf = (canvas: typeof NEW_CANVAS) => withEdits(canvas, canvas.surfaces['s']!).data;
  const typed = edited(received(NEW_CANVAS, snapshot({ a: 1, b: 2 })), 's', '/a', 'mine');

  it('holds while other values change, and over a lost connection', () => {
    assert.deepEqual(dataOf(typed), { a: 'mine', b: 2 });
    const other = { kind: 'data', version: '0.8', surfaceId: 's', path: '/b', value: 3 } as const;
    assert.deepEqual(dataOf(received(typed, { kind: 'messages', messages: [other] })), { a: 'mine', b: 3 });
    assert.deepEqual(dataOf(received(typed, snapshot({ a: 1, b: 9 }))), { a: 'mine', b: 9 });
  });

  it('gives way to what the agent writes there', () => {
    for (const path of ['/a', '', '/a/deeper'])
      assert.notDeepEqual(
        dataOf(
          received(typed, {
            kind: 'messages',
            messages: [{ kind: 'data', version: '0.8', surfaceId: 's', path, value: { a: 7 } }],
          }),
        ),
        { a: 'mine', b: 2 },
      );
    assert.deepEqual(dataOf(received(typed, snapshot({ a: 5 }))), { a: 5 });
  });
});
