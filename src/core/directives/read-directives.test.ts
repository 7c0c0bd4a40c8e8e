/** Directives in an answer: parsed, removed, never partly visible. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readDirectives, withoutDirectives, type Spoken } from './read-directives.ts';
import { visibleChatPrefix, visiblePrefix } from './visible-prefix.ts';
import { textOf, type AssistantMessage } from '../transcript.ts';

const read = (text: string): Partial<Spoken> =>
  Object.fromEntries(
    Object.entries(readDirectives(text)).filter(
      ([, value]) => value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

describe('tags', () => {
  it('G154 say which message is answered, whatever the spaces', () => {
    assert.deepEqual(read('[[reply_to_current]] hello'), { text: 'hello', replyTo: 'current' });
    assert.deepEqual(read('[[ reply_to : 12-x ]]hello'), { text: 'hello', replyTo: { id: '12-x' } });
    assert.deepEqual(read('a [[audio_as_voice]] b'), { text: 'a b', audioAsVoice: true });
    assert.deepEqual(read('a\n[[reply_to_current]]\nb'), { text: 'a\nb', replyTo: 'current' });
  });

  it('that mean nothing stay', () =>
    assert.deepEqual(read('[[unknown]] [[reply_to:]] [[x'), { text: '[[unknown]] [[reply_to:]] [[x' }));

  it('in code are code', () => {
    const code = '```\nMEDIA:/x.png\n[[reply_to_current]]\n[embed ref="a" /]\n```';
    assert.deepEqual(read(`[[audio_as_voice]]\n${code}`), { text: code, audioAsVoice: true });
  });
});

describe('files', () => {
  it('are named on lines of their own, each once', () => {
    assert.deepEqual(
      read('see\nMEDIA:/tmp/a.png\nMEDIA: "my file.pdf"\nMEDIA:`https://a.b/c?d=1`\nMEDIA:/tmp/a.png\nend'),
      { text: 'see\nend', media: ['/tmp/a.png', 'my file.pdf', 'https://a.b/c?d=1'] },
    );
  });

  it('are not words behind the mark', () =>
    assert.deepEqual(read('MEDIA: is a word\nsay MEDIA:/x'), { text: 'MEDIA: is a word\nsay MEDIA:/x' }));
});

describe('embeds', () => {
  it('G166 go out of the text, with or without content of their own', () => {
    assert.deepEqual(read('see\n[embed ref="cv" title="S" /]\nend'), {
      text: 'see\nend',
      embeds: [{ ref: 'cv', title: 'S' }],
    });
    assert.deepEqual(read('[embed url="/x"]<b>html</b>[/embed] tail'), { text: 'tail', embeds: [{ url: '/x' }] });
    assert.deepEqual(read('[embed]<b>[/embed]tail'), { text: '[embed]<b>[/embed]tail' });
  });
});

describe('silence', () => {
  it('G152 is asked for at the beginning or the end', () => {
    for (const text of ['NO_REPLY', ' NO_REPLY. ', '**NO_REPLY**', 'NO_REPLY because', 'done, NO_REPLY'])
      assert.deepEqual(read(text), { text: '', silent: true }, text);
    for (const text of ['NO_REPLYING', 'I say NO_REPLY when asked']) assert.deepEqual(read(text), { text }, text);
  });

  it('G152 does not keep a file back', () =>
    assert.deepEqual(read('MEDIA:/a.png\nNO_REPLY'), { text: '', silent: true, media: ['/a.png'] }));

  it('G152 the word of a quiet heartbeat is taken away', () => {
    assert.deepEqual(
      ['HEARTBEAT_OK', 'HEARTBEAT_OK all fine', 'all fine HEARTBEAT_OK'].map((text) => readDirectives(text).text),
      ['', 'all fine', 'all fine'],
    );
  });
});

describe('while it is being written', () => {
  it('G154 nothing is shown that may become a directive', () => {
    const shown = [
      'hello [[re',
      'hello [',
      'hi\nMED',
      'hi\nMEDIA:/tmp/a',
      'NO_',
      'N',
      'said NO_REPLY',
      'a [embed ref="x"',
      '[embed ref="x"]<b>',
    ].map(visiblePrefix);
    assert.deepEqual(shown, ['hello', 'hello', 'hi', 'hi', '', '', 'said', 'a', '']);
  });

  it('only grows, and ends as the whole is read', () => {
    const piece = fc.constantFrom(
      '[[reply_to_current]]',
      '[[ audio_as_voice ]]',
      'MEDIA:/a.png',
      '\n',
      ' ',
      'word',
      '[',
      ']',
      '[embed ref="a" /]',
      '[embed ref="a"]',
      '[/embed]',
      '[[reply_to:1] ',
      '[[reply_to_current ',
      '```\n',
      '~~~',
      '``',
      '`',
      '\\',
      '    ',
      '\t',
      '\n\n',
      '\r\n',
      'M',
      'No',
      '.',
      '[x](http://y)',
      '```js\n',
      '[embed url="/x" title="`"]',
      'HEARTBEAT_OK',
      '_',
      '**',
    );
    const differed = [
      '[embed ref="a"]\r\n~~~[/embed]\r\n',
      '``[[reply_to_current]]\n~~~``[[reply_to_current]]',
      '[[reply_to_current]]```js\n[[reply_to_current]]    x\n```js\n',
      '```[[reply_to_current]][embed url="/x" title="`"]\n\n',
      '\\HEARTBEAT_OK',
      'word _HEARTBEAT',
      '[[reply_to_current]]**HEARTBEAT_OK',
    ];
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }).map((all) => all.join('')),
        (text) => {
          let before = '';
          for (let at = 1; at <= text.length; at++) {
            const now = visiblePrefix(text.slice(0, at));
            assert.ok(now.startsWith(before.trimEnd()), JSON.stringify([before, now]));
            before = now;
          }
          assert.ok(readDirectives(text).text.startsWith(before.trimEnd()));
        },
      ),
      { numRuns: 1000, examples: differed.map((text) => [text]) },
    );
  });

  it('a long run of anything is read in one go', () => {
    for (const part of [' ', '[embed ', '[[', '[embed]', 'MEDIA:', '!', '`', '\n'])
      assert.ok(visiblePrefix(part.repeat(40_000 / part.length)).length <= 40_000);
  });
});

it('an embed nobody closed takes nothing of the next one, nor the words between them', () => {
  const { embeds, text } = readDirectives('[embed ref="a"] between [embed ref="b"]x[/embed] after');
  assert.deepEqual([embeds.map(({ ref }) => ref), text.replace(/\s+/g, ' ').trim()], [['a', 'b'], 'between after']);
});

describe('in the product’s own chat', () => {
  const answer = (text: string): string =>
    textOf(withoutDirectives({ content: [{ type: 'text', text }] } as unknown as AssistantMessage).content);

  it('a text without directives is shown as it is written, blanks and long ones too', () => {
    for (const text of ['\n\n  Hello. \n', ' '.repeat(200_000), '\n'.repeat(200_000), 'a [list] of MEDIA']) {
      assert.equal(visibleChatPrefix(text), text);
      assert.equal(answer(text), text);
    }
  });

  it('what may yet become a directive waits, what is one goes', () => {
    const written = 'So:\nMEDIA:a.png\nand [embed ref="b" /] there';
    const steps = Array.from(written, (_char, at) => visibleChatPrefix(written.slice(0, at + 1)));
    assert.deepEqual(
      steps.filter((step) => /\nM|MEDIA|\[/.test(step)),
      [],
    );
    assert.equal(steps.at(-1), 'So:\nand there');
    assert.equal(answer(written), 'So:\nand there');
    assert.equal(answer('MEDIA:a.png'), 'MEDIA:a.png', 'nothing would be left of it');
    assert.equal(visibleChatPrefix('x = y['), 'x = y');
    assert.equal(visibleChatPrefix('x = y[0]'), 'x = y[0]');
  });
});
