import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelCapabilities } from '../core/channel.ts';
import { configSchema } from '../schema.ts';
import { accepted } from '../testing/sample-inbound.ts';
import { createDoorkeeper } from './doorkeeper.ts';
import type { Heard } from './understanding-parts.ts';

const CAPABILITIES: ChannelCapabilities = { chats: ['group'], threads: false, edit: false, react: false, typing: false, media: true, voice: true, markdown: 'none', maxTextLength: 1000, idempotentSend: true, deliverable: true };

/** A group whose members may write, and an agent called "ada" that wants to be named. */
function group({ allowFrom = ['u1'] }: { allowFrom?: readonly string[] } = {}) {
  const calls: ((heard?: Heard) => void)[] = [];
  const config = { ...configSchema.parse({ messages: { groupChat: { mentionPatterns: ['\\bada\\b'] } } }), channels: { pipe: { allowFrom } } };
  const judge = createDoorkeeper({ config: () => config, hear: () => new Promise((resolve) => calls.push(resolve)) });
  const { message, route } = accepted({ text: '', attachments: [{ kind: 'audio', mime: 'audio/ogg' }] });
  const note = { ...message, addressesBot: false, address: { ...message.address, chat: { kind: 'group', id: 'g1' } } } as const;
  return { calls, voiceNote: () => judge(note, route, CAPABILITIES), said: (text: string): Heard => ({ note: { kind: 'audio', attachment: 0, text, provider: 'p', model: 'm' }, attachments: message.attachments }) };
}

test('a voice note is let in for what it says, a stranger\'s is not listened to', async () => {
  const { calls, voiceNote, said } = group();
  const judged = [voiceNote(), voiceNote()];
  await Promise.resolve();
  calls[0]!(said('hey ada, come'));
  calls[1]!(said('hey bob, come'));
  assert.deepEqual((await Promise.all(judged)).map(({ admission }) => admission.kind), ['allowed', 'refused']);
  const strange = group({ allowFrom: ['u2'] });
  assert.equal((await strange.voiceNote()).admission.kind, 'refused');
  assert.equal(strange.calls.length, 0);
});

test('a flood of voice notes is listened to two at a time; those too many are judged by their words alone', async () => {
  const { calls, voiceNote, said } = group();
  const judged = Array.from({ length: 40 }, voiceNote);
  const turnedAway = (await Promise.all(judged.slice(18))).map(({ admission }) => admission.kind);
  assert.deepEqual(new Set(turnedAway), new Set(['refused']));
  assert.equal(calls.length, 2);
  for (let heard = 0; heard < 18; heard++) {
    calls[heard]!(said('ada'));
    await judged[heard];
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(calls.length, 18);
});
