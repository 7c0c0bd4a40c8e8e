/** Slack's markup in both directions, and its emoji names. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderMarkdown } from '../../sdk/markdown.ts';
import { emojiName, emojiOf } from './emoji.ts';
import { mentionsIn, readText, slackDialect, withoutMention } from './markdown.ts';

const shown = (markdown: string): string => renderMarkdown(markdown, slackDialect, { tables: 'code' }).trim();
const read = (raw: string): string =>
  readText(raw, { user: (id) => ({ U0ANN00001: 'Ann' })[id], chat: (id) => ({ C0GENERAL1: 'general' })[id] });

describe('Slack markup', () => {
  it('writes Slack marks', () => {
    assert.equal(shown('**b** *i* ~~s~~ `c < d`'), '*b* _i_ ~s~ `c &lt; d`');
    assert.equal(shown('[the page](https://example.com/?a=1&b=2)'), '<https://example.com/?a=1&amp;b=2|the page>');
    assert.equal(shown('# A **title**'), '*A title*');
    assert.equal(shown('```js\na < b\n```'), '```\na &lt; b\n```');
    assert.match(shown('> quoted\n> twice'), /^> quoted\n> twice$/);
  });

  it('shouts at nobody, and mentions those whose id it was given', () => {
    assert.equal(
      shown('<!channel> & <@U0ANN00001> in <#C0GENERAL1>'),
      '&lt;!channel&gt; &amp; <@U0ANN00001> in <#C0GENERAL1>',
    );
    assert.equal(shown('[x](https://example.com/a|b>c)').includes('<https://example.com/a%7Cb%3Ec|x>'), true);
  });

  it('closes no block of code early', () => {
    assert.equal(shown('````\n```\n````').match(/```/g)!.length, 2);
  });

  it('reads what people wrote', () => {
    assert.equal(read('<@U0ANN00001> and <@U0NOBODY1|nob> and <@U0NOBODY1>'), '@Ann and @nob and @U0NOBODY1');
    assert.equal(read('<#C0GENERAL1> <#C0OTHER001|other>'), '#general #other');
    assert.equal(read('<!here> <!subteam^S1|@team> <!date^1^{date}|yesterday>'), '@here @team yesterday');
    assert.equal(
      read('<https://example.com> <https://example.com/a|example.com/a> <https://example.com/a|here> <tel:+123|+123>'),
      'https://example.com https://example.com/a here (https://example.com/a) +123',
    );
    assert.equal(read('&lt;@U0ANN00001&gt; &amp;lt;'), '<@U0ANN00001> &lt;');
    assert.equal(read('a < b > c <unclosed'), 'a < b > c <unclosed');
  });

  it('takes the mention of one away, wherever it stands', () => {
    assert.equal(withoutMention('<@U0BOT00001>: /status', 'U0BOT00001'), '/status');
    assert.equal(withoutMention('hey <@U0BOT00001|clawd> do <@U0ANN00001>', 'U0BOT00001'), 'hey do <@U0ANN00001>');
    assert.deepEqual(mentionsIn('<@U0ANN00001> <@U0BOB00001|bob> @U0NOT00001'), ['U0ANN00001', 'U0BOB00001']);
  });

  it('reads a huge text in no time', () => {
    for (const piece of ['<', '<@U0ANN00001', '<https://a|', '&lt;', '<@U0ANN00001>'])
      assert.ok(read(piece.repeat(40_000)).length > 0);
  });

  it('names emoji, with and without colour', () => {
    assert.deepEqual(['👍', '👍🏽', '❤️', ':eyes:', 'white_check_mark', ':+1::skin-tone-2:'].map(emojiName), [
      '+1',
      '+1::skin-tone-4',
      'heart',
      'eyes',
      'white_check_mark',
      '+1::skin-tone-2',
    ]);
    assert.throws(() => emojiName('🧿'), { code: 'invalid', message: /Slack needs an emoji name/ });
    assert.throws(() => emojiName(''), { code: 'invalid' });
    assert.deepEqual(['+1', 'thumbsup', '+1::skin-tone-3', 'lobster_dance'].map(emojiOf), [
      '👍',
      '👍',
      '👍',
      ':lobster_dance:',
    ]);
  });
});
