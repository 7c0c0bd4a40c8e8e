/** The files that tool results attach, in every documented form. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { previewsByTools } from './canvas.ts';
import { attachingNothing, mediaByTools } from './structured-media.ts';

const result = (details: unknown, rest: object = {}) => ({ role: 'toolResult', isError: false, details, ...rest });

const FORMS: readonly (readonly [details: unknown, media: readonly string[]])[] = [
  [{ mediaUrl: '/w/a.png' }, ['/w/a.png']],
  [{ mediaUrls: ['/w/a.png', ' https://example.com/b.png '] }, ['/w/a.png', 'https://example.com/b.png']],
  [{ media: 'a.png' }, ['a.png']],
  [
    {
      media: [
        { from: 'file', path: '/w/a.png', mime: 'image/png' },
        { from: 'url', url: 'https://x.example/' },
      ],
    },
    ['/w/a.png', 'https://x.example/'],
  ],
  [{ attachments: [{ media: 'a.png' }, { mediaUrl: 'b.png' }, { media: ['c.png'] }] }, ['a.png', 'b.png', 'c.png']],
  [{ attachments: ['d.png'], media: 'c.png', mediaUrls: ['b.png'], mediaUrl: 'a.png' }, ['a.png', 'b.png', 'c.png']],
  [{ mediaUrl: 'a.png', mediaUrls: ['a.png', 'b.png'] }, ['a.png', 'b.png']],
  [{ sent: [{ media: ['sha256:x'] }] }, []],
  [{ media: '📎 Media: image none · file ok (documents/text)' }, []],
  [{ media: 'none', attachments: 2 }, []],
  [{ mediaUrl: '' }, []],
  [{ mediaUrl: 5, mediaUrls: [null, {}], media: { from: 'elsewhere', path: 'x' } }, []],
  [{ mediaUrl: 'a\nb' }, []],
  [{ mediaUrl: 'x'.repeat(4097) }, []],
  ['MEDIA:a.png', []],
  [['a.png'], []],
  [null, []],
  [undefined, []],
];

it('what somebody else wrote attaches nothing, in no documented form', () => {
  const preview = { kind: 'canvas', url: '/__clawdbot__/canvas/documents/x/index.html' };
  for (const details of [...FORMS.map(([form]) => form), { preview, lat: 1 }]) {
    const bare = [result(attachingNothing(details))];
    assert.deepEqual([mediaByTools(bare), previewsByTools(bare)], [[], []], JSON.stringify(details));
  }
  assert.deepEqual(attachingNothing({ mediaUrl: 'a.png', lat: 1 }), { lat: 1 });
});

describe('files of tools', () => {
  for (const [details, media] of FORMS)
    it(`${(JSON.stringify(details) ?? 'nothing').slice(0, 100)} → ${media.join(', ') || 'none'}`, () =>
      assert.deepEqual(mediaByTools([result(details)]), media));

  it('of several calls come in order, each once, twenty at most; a failed call has none', () => {
    assert.deepEqual(
      mediaByTools([
        result({ mediaUrl: 'b.png' }),
        result({ mediaUrl: 'bad' }, { isError: true }),
        { role: 'assistant', details: { mediaUrl: 'no' } },
        result({ mediaUrls: ['a.png', 'b.png'] }),
      ]),
      ['b.png', 'a.png'],
    );
    const many = Array.from({ length: 50 }, (_, n) => `f${n}.png`);
    assert.deepEqual(mediaByTools([result({ mediaUrls: many })]), many.slice(0, 20));
  });
});
