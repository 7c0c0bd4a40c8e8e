/** Pictures in Markdown: which are found, and what is left of the words. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pictureLinks, withoutPictures } from './picture-links.ts';

const A = 'https://example.com/a.png';
const taken = (text: string): readonly [string, ...string[]] => {
  const found = pictureLinks(text);
  return [withoutPictures(text, found), ...found.map(({ url }) => url)];
};

describe('U175 pictures in Markdown', () => {
  it('are found with their address, and taken out with the white space around them', () => {
    for (const [written, ...expected] of [
      [`![alt](${A})`, '', A],
      [`See ![alt](${A}) there.`, 'See there.', A],
      [`One\n\n![alt](${A})\n\ntwo`, 'One\n\ntwo', A],
      [`![a](${A}) ![b](https://example.com/b.png)`, '', A, 'https://example.com/b.png'],
      [`- item ![](${A})\n- item`, '- item\n- item', A],
      [`![a [b] \\] c](${A})`, '', A],
      [`![a]( ${A} )`, '', A],
      [`![a](<https://example.com/a.png>)`, '', A],
      [`![a](${A} "title")`, '', A],
      [`![a](${A} 'ti"tle')`, '', A],
      [`![a](https://en.wikipedia.org/wiki/A_(b)_(c).png).`, '.', 'https://en.wikipedia.org/wiki/A_(b)_(c).png'],
      [`![a](https://example.com/a\\_b.png)`, '', 'https://example.com/a_b.png'],
      [`\\\\![a](${A})`, '\\\\', A],
      [`\`![a](b)\` then ![a](${A})`, '`![a](b)` then', A],
    ] as const)
      assert.deepEqual(taken(written), expected, written);
  });

  it('stay where they are code, escaped, the words of a link, by reference, or no https address', () => {
    for (const text of [
      `\`![a](${A})\``,
      `\`\`\`\n![a](${A})\n\`\`\``,
      `x\n\n    ![a](${A})`,
      `\\![a](${A})`,
      `[![a](${A})](https://example.com)`,
      `![a][1]\n\n[1]: ${A}`,
      `![a]`,
      `![a](http://example.com/a.png)`,
      `![a](/a.png)`,
      `![a](data:image/png;base64,AAAA)`,
      `![a](javascript:alert(1))`,
      `![a](https://example.com/a b.png)`,
      `![a](https://example.com/(a.png)`,
      `![a](${A} title)`,
      `![a](${A}`,
      `[a](${A})`,
      `![a](${A})${'x'.repeat(20_000)}`,
    ])
      assert.deepEqual(taken(text), [text], text.slice(0, 60));
  });

  it('beyond fifty in a line stay, and a hostile line takes no time', () => {
    assert.equal(pictureLinks(`![a](${A})`.repeat(60)).length, 50);
    for (const part of ['![', '![a](', '![a](<', '![[', '![a](\\', `![a](${A} "`])
      assert.equal(pictureLinks(part.repeat(Math.floor(20_000 / part.length))).length, 0);
  });
});
