import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelCapabilities } from '../../core/channel.ts';
import { silentLog } from '../../core/log.ts';
import { createPairingStore } from '../../pipeline/access/pairing-store.ts';
import { channelSettingsSchema } from '../../config/channel-config.ts';
import { configSchema } from '../../testing/whole-schema.ts';
import { accepted } from '../../testing/sample-inbound.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createAccessGate, type Transcription } from './access-gate.ts';
import { createAccessEvaluator, type GatedChannel } from './evaluate-access.ts';
import { typed } from '../../core/saying.ts';

const CAPABILITIES: ChannelCapabilities = {
  chats: ['group'],
  threads: false,
  edit: false,
  react: false,
  typing: false,
  media: true,
  voice: true,
  markdown: 'none',
  maxTextLength: 1000,
  idempotentSend: true,
  deliverable: true,
};
const PIPE: GatedChannel = { id: 'pipe', label: 'Pipe', capabilities: CAPABILITIES, config: channelSettingsSchema };
const nobody = { allowed: async () => [] };

/** A group whose members may write, and an agent called "ada" that wants to be named. */
function group({ allowFrom = ['u1'] }: { allowFrom?: readonly string[] } = {}) {
  const calls: ((heard?: Transcription) => void)[] = [];
  const config = {
    ...configSchema.parse({ messages: { groupChat: { mentionPatterns: ['\\bada\\b'] } } }),
    channels: { pipe: { allowFrom } },
  };
  const evaluate = createAccessEvaluator({
    log: silentLog,
    config: () => config,
    pairing: nobody,
    approversOf: () => undefined,
    activationOf: () => undefined,
    isCommand: () => false,
  });
  const keep = createAccessGate({
    evaluate,
    pairing: { request: () => Promise.reject(new Error('nobody pairs in a group')) },
    transcribe: () => new Promise((resolve) => calls.push(resolve)),
  });
  const { message, route } = accepted({
    text: '',
    attachments: [{ kind: 'audio', mime: 'audio/ogg', recorded: true }],
  });
  const note = {
    ...message,
    addressesBot: false,
    address: { ...message.address, chat: { kind: 'group', id: 'g1' } },
  } as const;
  return {
    calls,
    voiceNote: () => keep(note, route, PIPE),
    said: (text: string): Transcription => ({
      note: { kind: 'audio', attachment: 0, text, provider: 'p', model: 'm' },
      attachments: message.attachments,
    }),
  };
}

test("a voice note is let in for what it says, a stranger's is not listened to", async () => {
  const { calls, voiceNote, said } = group();
  const decided = [voiceNote(), voiceNote()];
  await new Promise((resolve) => setImmediate(resolve));
  calls[0]!(said('hey ada, come'));
  calls[1]!(said('hey bob, come'));
  assert.deepEqual(
    (await Promise.all(decided)).map(({ admission }) => admission.kind),
    ['allowed', 'refused'],
  );
  const strange = group({ allowFrom: ['u2'] });
  assert.equal((await strange.voiceNote()).admission.kind, 'refused');
  assert.equal(strange.calls.length, 0);
});

test('a flood of voice notes is listened to two at a time; those too many are judged by their words alone', async () => {
  const { calls, voiceNote, said } = group();
  const decided = Array.from({ length: 40 }, voiceNote);
  const turnedAway = (await Promise.all(decided.slice(18))).map(({ admission }) => admission.kind);
  assert.deepEqual(new Set(turnedAway), new Set(['refused']));
  assert.equal(calls.length, 2);
  for (let heard = 0; heard < 18; heard++) {
    calls[heard]!(said('ada'));
    await decided[heard];
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(calls.length, 18);
});

/** Direct chats of one channel, with a store on disk. */
async function direct(channels: object) {
  const dir = await tempDir('doors');
  const clock = createFakeClock();
  const store = createPairingStore({ dir: dir.path, log: silentLog, now: clock.now });
  const config = { ...configSchema.parse({}), channels: channels as ReturnType<typeof configSchema.parse>['channels'] };
  const evaluate = createAccessEvaluator({
    log: silentLog,
    config: () => config,
    pairing: store,
    approversOf: () => undefined,
    activationOf: () => undefined,
    isCommand: () => false,
  });
  const keep = createAccessGate({
    evaluate,
    pairing: store,
    transcribe: () => Promise.reject(new Error('not a voice note')),
  });
  const { message, route } = accepted({ chat: 'u7' });
  const from = (id: string, accountId = 'default') =>
    keep({ ...message, sender: { id, name: 'Ann' }, address: { ...message.address, accountId } }, route, {
      ...PIPE,
      senderIdLabel: 'Pipe user id',
    });
  return { store, from, clock, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

test('G205 an unknown sender gets id, code and command; a repeat has the same token, so it is sent once', async () => {
  await using gate = await direct({ pipe: {} });
  const [first, second] = [await gate.from('u7'), await gate.from('u7')];
  const [request] = await gate.store.pending('pipe');
  assert.equal(first.admission.kind, 'refused');
  assert.match(
    first.notice!.text,
    new RegExp(
      `Your Pipe user id: u7\nPairing code: ${request!.code}\n[^]*clawdbot pairing approve pipe ${request!.code}`,
    ),
  );
  assert.deepEqual(
    [first.notice!.token, second.notice!.token],
    [`pairing:pipe:default:u7:${request!.code}`, first.notice!.token],
  );
  await gate.store.approve('pipe', request!.code);
  const { admission, notice } = await gate.from('u7');
  assert.deepEqual([admission.kind, notice], ['allowed', undefined]);
});

test('an admitted sender other than the one owner is a guest of the main session', async () => {
  await using gate = await direct({ pipe: { dmPolicy: 'open', allowFrom: ['u1', '*'] }, defaults: {} });
  assert.deepEqual([(await gate.from('u1')).guest, (await gate.from('u2')).guest], [undefined, true]);
  await using family = await direct({ pipe: { dmPolicy: 'open', allowFrom: ['u1', 'u3', '*'] } });
  assert.equal((await family.from('u2')).guest, undefined, 'two owners: nobody is pinned');
});

test('settings are named where they stand: account, channel, defaults', async () => {
  await using gate = await direct({
    defaults: { dmPolicy: 'allowlist' },
    pipe: { allowFrom: ['u1'], accounts: { Work: { allowFrom: ['u2'] } } },
  });
  const settings = async (id: string, account?: string) =>
    (await gate.from(id, account)).admission.steps.map(({ setting }) => setting);
  assert.deepEqual(await settings('u9', 'work'), [
    'channels.defaults.dmPolicy',
    'channels.pipe.accounts.Work.allowFrom',
  ]);
  assert.deepEqual((await settings('u1')).slice(0, 2), ['channels.defaults.dmPolicy', 'channels.pipe.allowFrom']);
});

test('a channel whose settings make no sense lets nobody in', async () => {
  await using gate = await direct({ pipe: { allowFrom: ['u1'], dmPolicy: 'nonsense' } });
  const config = { ...configSchema.parse({}), channels: { pipe: { allowFrom: ['u1'], dmPolicy: 'nonsense' } } };
  const evaluate = createAccessEvaluator({
    log: silentLog,
    config: () => config,
    pairing: gate.store,
    approversOf: () => undefined,
    activationOf: () => undefined,
    isCommand: () => false,
  });
  const { message, route } = accepted();
  const { admissionOf } = await evaluate(message, route, {
    ...PIPE,
    rules: () => {
      throw new Error('not asked');
    },
  });
  const admission = admissionOf(typed('hi'));
  assert.deepEqual([admission.kind, admission.steps[0]!.step], ['refused', 'settings']);
});
