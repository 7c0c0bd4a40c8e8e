/** An answer becomes messages: prefix, parts, captions, what they point at. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { present } from '../../core/present.ts';
import type { MediaRef } from '../../core/reply.ts';
import { planReply } from './plan.ts';
import { prefixOf } from './prefix.ts';
import { deliveryRules, type ChannelPreferences } from './rules.ts';

const preferences: ChannelPreferences = { chunkMode: 'length' };
const can = { maxTextLength: 40, maxCaptionLength: 10, media: true, voice: true } as const;
const rules = (over: Partial<ChannelPreferences> = {}, capabilities: object = {}) =>
  deliveryRules({
    capabilities: { ...can, ...capabilities },
    settings: { ...preferences, ...over },
    prefix: undefined,
  });
const file = (name: string): MediaRef => ({ from: 'file', path: `/w/${name}`, mime: 'image/png' });
const long = 'one two three four five six seven eight nine ten';

describe('rules', () => {
  it("G158 the account's limit counts, up to the platform's", () => {
    assert.deepEqual(
      [rules().chunks.limit, rules({ textChunkLimit: 30 }).chunks.limit, rules({ textChunkLimit: 4000 }).chunks.limit],
      [40, 30, 40],
    );
    assert.deepEqual(rules({ chunkMode: 'newline' }, { maxLines: 7 }).chunks, {
      limit: 40,
      mode: 'newline',
      maxLines: 7,
    });
  });

  it('the kind of chat may have a reply mode of its own', () => {
    const settings: ChannelPreferences = {
      ...preferences,
      replyToMode: 'all',
      replyToModeByChatType: { direct: 'off', channel: 'first' },
    };
    const modeIn = (kind: 'direct' | 'group' | 'channel') =>
      deliveryRules({ capabilities: can, settings, prefix: undefined, kind }).replyTo;
    assert.deepEqual((['direct', 'group', 'channel'] as const).map(modeIn), ['off', 'all', 'first']);
  });

  it("the channel's prefix comes before the general one", () => {
    const general = { capabilities: can, prefix: 'general' };
    assert.equal(deliveryRules({ ...general, settings: preferences }).prefix, 'general');
    assert.equal(deliveryRules({ ...general, settings: { ...preferences, responsePrefix: 'own' } }).prefix, 'own');
  });
});

describe('the prefix', () => {
  it('G153 names what it is asked to, and keeps what is unknown', () => {
    const facts = { model: 'vendor/m-1', provider: 'p', thinkingLevel: 'low', identityName: 'Clawd' };
    assert.equal(
      prefixOf('[{model}|{modelFull}|{provider}|{thinkingLevel}|{think}|{identity.name}|{other}]', facts),
      '[m-1|p/vendor/m-1|p|low|low|Clawd|{other}]',
    );
    assert.deepEqual(
      [prefixOf('auto', facts), prefixOf('auto', {}), prefixOf('', facts), prefixOf(undefined, facts)],
      ['[Clawd]', undefined, undefined, undefined],
    );
  });

  it('G153 stands once, and before answers only', () => {
    const text = (kind: 'final' | 'notice' | 'interim', said: string): unknown =>
      planReply({ kind, text: said }, rules(), { prefix: '[C]' })[0]?.text;
    assert.equal(text('final', '```\nx\n```'), '[C]\n```\nx\n```', 'code stays code');
    assert.deepEqual(
      [text('final', 'hi'), text('final', '[C] hi'), text('notice', 'hi'), text('interim', 'hi')],
      ['[C] hi', '[C] hi', 'hi', '[C] hi'],
    );
    assert.deepEqual(planReply({ kind: 'final', media: [file('a')] }, rules(), { prefix: '[C]' })[0]?.text, undefined);
  });
});

describe('text', () => {
  it('that is too long becomes several messages', () =>
    assert.deepEqual(planReply({ kind: 'notice', text: long, failed: true }, rules()), [
      { kind: 'notice', failed: true, text: 'one two three four five six seven eight' },
      { kind: 'notice', failed: true, text: 'nine ten' },
    ]));

  it('that is nothing becomes none', () => assert.deepEqual(planReply({ kind: 'final', text: ' \n' }, rules()), []));

  it('takes the place of a preview with its first message', () => {
    assert.deepEqual(
      planReply({ kind: 'final', text: long }, rules(), { preview: 't:preview' }).map(({ replaces }) => replaces),
      ['t:preview', undefined],
    );
    const withFile = planReply({ kind: 'final', text: 'short', media: [file('a')] }, rules(), { preview: 'p' });
    assert.deepEqual(
      withFile,
      [
        { kind: 'final', text: 'short', replaces: 'p' },
        { kind: 'final', media: [file('a')] },
      ],
      'a text cannot be edited into a file',
    );
  });
});

describe('files', () => {
  it('G057 go one by one, the words with the first', () =>
    assert.deepEqual(planReply({ kind: 'final', text: 'short', media: [file('a'), file('b')] }, rules()), [
      { kind: 'final', media: [file('a')], text: 'short' },
      { kind: 'final', media: [file('b')] },
    ]));

  it('come after words that are too many for a caption', () =>
    assert.deepEqual(planReply({ kind: 'final', text: 'rather long words', media: [file('a')] }, rules()), [
      { kind: 'final', text: 'rather long words' },
      { kind: 'final', media: [file('a')] },
    ]));

  it('are voice notes where the platform has them', () => {
    const voice = (capabilities: object): unknown =>
      planReply({ kind: 'final', media: [file('a')], audioAsVoice: true }, rules({}, capabilities))[0]?.audioAsVoice;
    assert.deepEqual([voice({}), voice({ voice: false })], [true, undefined]);
  });

  it('are at least named where the platform takes none', () => {
    assert.deepEqual(
      planReply(
        { kind: 'final', text: 'x', media: [{ from: 'url', url: 'https://a.b' }, file('c.png')] },
        rules({}, { media: false, maxTextLength: 400 }),
      ).map(({ text }) => text),
      ['x\nhttps://a.b\n(The file c.png cannot be sent here.)'],
    );
  });
});

describe('what an answer points at', () => {
  const points = (
    mode: ChannelPreferences['replyToMode'],
    replyTo?: 'current' | { id: string },
    capabilities: object = {},
  ): unknown =>
    planReply(present({ kind: 'final', text: long, replyTo }), rules(mode ? { replyToMode: mode } : {}, capabilities), {
      messageId: 'm',
    }).map((part) => (part.replyTo as { id: string } | undefined)?.id);

  it('G154 follows the mode', () => {
    assert.deepEqual(
      [points('off'), points('first'), points('all')],
      [
        [undefined, undefined],
        ['m', undefined],
        ['m', 'm'],
      ],
    );
    assert.deepEqual(
      [points(undefined, undefined, { replyTo: 'first' }), points(undefined)],
      [
        ['m', undefined],
        [undefined, undefined],
      ],
    );
  });

  it('what goes on after blocks points at nothing again, and has no prefix', () => {
    assert.deepEqual(
      planReply({ kind: 'final', text: 'rest' }, rules({ replyToMode: 'first' }), {
        messageId: 'm',
        prefix: '[C]',
        continued: true,
      }),
      [{ kind: 'final', text: 'rest' }],
    );
    assert.deepEqual(
      planReply({ kind: 'final', text: 'rest' }, rules({ replyToMode: 'all' }), { messageId: 'm', continued: true }),
      [{ kind: 'final', text: 'rest', replyTo: { id: 'm' } }],
    );
  });

  it('G154 some platforms keep what the model points at whatever the mode', () => {
    assert.deepEqual(
      [points('off', { id: 'x' }, { replyTags: true }), points('off', undefined, { replyTags: true })],
      [
        ['x', undefined],
        [undefined, undefined],
      ],
    );
  });

  it('G154 the model may name the message', () => {
    assert.deepEqual(
      [points('off', { id: 'x' }), points('first', { id: 'x' }), points('all', { id: 'x' })],
      [
        [undefined, undefined],
        ['x', undefined],
        ['x', 'x'],
      ],
    );
    assert.deepEqual(
      [points(undefined, 'current'), points(undefined, { id: 'x' })],
      [
        ['m', undefined],
        ['x', undefined],
      ],
    );
  });
});
