/** Markdown converted to plain text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from './plain-text.ts';

test('marks go, words and code stay', () => {
  assert.equal(
    plainText(
      '# T\n\nA **bold** *word*, `code`, [link](https://a.example/x_(y\n\n> said\n\n```js\nlet a = b * c; // ' +
        '**x**\n```\n\nend',
    ),
    'T\n\nA bold word, code, [link](https://a.example/x_(y\n\nsaid\n\nlet a = b * c; // **x**\n\nend',
  );
  assert.equal(plainText('[t](https://a.example/) 2 * 3 * 4 snake_case **'), 't 2 * 3 * 4 snake_case **');
  assert.equal(plainText('| a | b |\n| --- | --- |\n| 1 | x\\|y |'), 'a\tb\n1\tx|y');
});
