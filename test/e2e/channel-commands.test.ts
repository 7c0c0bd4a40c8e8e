// Slash commands from a channel: who may use them, which get no answer, and their effect on later answers.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { desks } from '../fixtures/desk-channel/index.ts';

const PLUGIN = join(import.meta.dirname, '..', 'fixtures', 'desk-channel');

async function openChat(table: string, { channel = {}, config = {} }: { channel?: object; config?: object } = {}) {
  const gateway = await startGateway({
    config: {
      plugins: { load: { paths: [PLUGIN] } },
      channels: {
        desk: {
          table,
          allowFrom: ['ann', '*'],
          dmPolicy: 'open',
          groups: { '*': {} },
          groupPolicy: 'open',
          ...channel,
        },
      },
      ...config,
    },
  });
  const desk = await until(() => desks.get(table), 'the desk');
  return {
    gateway,
    desk,
    /** Everything said back so far, once there are so many messages. */
    async said(count: number): Promise<string[]> {
      await until(() => desk.sent.length >= count, `${count} messages`);
      return desk.sent.map(({ text }) => text);
    },
    configFile: (): Promise<string> => readFile(join(gateway.stateDir, 'clawdbot.json'), 'utf8'),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

const bob = { sender: { id: 'bob', name: 'Bob' }, chat: 'bob' };

describe('who may', () => {
  it('G132 who may only write is answered what harms nobody, and told why not for the rest; the model hears none of it', async () => {
    await using s = await openChat('visitors');
    await s.desk.write({ ...bob, text: '/help' });
    const [help] = await s.said(2);
    assert.match(help!, /Information: \/help \/commands \/status \/whoami/);
    assert.doesNotMatch(help!, /\/(model|think|config|elevated|allowlist|restart)\b/);
    const answers: string[] = [];
    for (const text of [
      '/status',
      '/whoami',
      '/model',
      '/think high',
      '/config show',
      '/approve abc allow-once',
      '/elevated full',
    ]) {
      await s.desk.write({ ...bob, text });
      answers.push((await s.said(answers.length + 3)).at(-1)!);
    }
    const [status, who, ...refused] = answers;
    assert.match(status!, /^⚙️ [^\n]*\nModel: [^\n]*$/, 'nothing of the conversation');
    assert.match(who!, /^⚙️ You are Bob/);
    for (const text of refused)
      assert.match(text, /^⚠️ (You may not|Only the owner of this gateway may|\/approve failed: you may not)[^\n]*bob/);
    assert.equal(s.gateway.models.requests.length, 0);
    await using chat = await s.gateway.connect();
    const { messages } = await chat.call('access.recent', { limit: 10 });
    assert.ok(messages.some((row: any) => row.state === 'declined' && row.reason === 'not allowed to use /model'));
  });

  it('a command that takes one word of a few offers them by number where there are no buttons', async () => {
    await using s = await openChat('numbers');
    await s.desk.write({ text: '/reasoning' });
    assert.match((await s.said(1))[0]!, /\nReply with a number: 1 off · 2 on · 3 stream · 4 default$/);
    await s.desk.write({ text: '2' });
    assert.equal((await s.said(2))[1], '⚙️ Reasoning: on.');
    await s.desk.write({ text: '2' });
    await s.said(3);
    assert.equal(s.gateway.models.requests.length, 1, 'an answered question leaves numbers alone');
    await s.desk.write({ ...bob, text: '/reasoning' });
    assert.doesNotMatch((await s.said(4))[3]!, /Reply with/, 'who may not is offered nothing');
  });

  it('in a group each is told once in a while, and a bot never', async () => {
    await using s = await openChat('crowd', {
      channel: { allowFrom: ['ann'], dmPolicy: 'allowlist', groups: { '*': { requireMention: false } } },
    });
    const group = { group: 'g1' } as const;
    const robot = { sender: { id: 'robot', name: 'Robot', isBot: true } } as const;
    await s.desk.write({ ...bob, ...group, text: '/model' });
    assert.match((await s.said(1))[0]!, /^⚠️ You may not use \/model/);
    for (const text of ['/model', '/config show']) await s.desk.write({ ...bob, ...group, text });
    await s.desk.write({ ...robot, ...group, text: '/model' });
    await s.desk.write({ text: '/model', ...group });
    assert.match((await s.said(2))[1]!, /^⚙️ Model:/);
    assert.equal(s.desk.sent.length, 2);
  });

  it('a stranger who is not answered otherwise gets nothing', async () => {
    await using s = await openChat('silent', { channel: { allowFrom: ['ann'], dmPolicy: 'allowlist' } });
    for (const text of ['/status', '/approve abc', '/help']) await s.desk.write({ ...bob, text });
    await s.desk.write({ text: '/model' });
    assert.match((await s.said(1))[0]!, /^⚙️ Model/);
    assert.equal(s.desk.sent.length, 1);
  });

  it('the owner is named one by one, and nobody else writes the configuration', async () => {
    await using s = await openChat('owner', { config: { commands: { config: true } } });
    await s.desk.write({ text: '/config set messages.queue.cap=7' });
    assert.equal((await s.said(1))[0], '⚙️ messages.queue.cap is set.');
    assert.match(await s.configFile(), /"cap": ?7/);
    await s.desk.write({ text: '/allowlist add 99' });
    assert.match((await s.said(2))[1]!, /99 may write in direct chats \(channels\.desk\.allowFrom\)/);
    assert.match(await s.configFile(), /"99"/);
    await s.desk.write({ text: '/allowlist add @bob' });
    assert.match((await s.said(3))[2]!, /not a sender id/);
    await s.desk.write({ text: '/config set mesages.queue.cap=7' });
    assert.match(
      (await s.said(4))[3]!,
      /mesages\.queue\.cap is set\.\n⚠️ unknown setting "mesages"; it has no effect\. Did you mean "messages"/,
    );
  });

  it('commands.ownerAllowFrom takes that away again', async () => {
    await using s = await openChat('others', { config: { commands: { config: true, ownerAllowFrom: ['desk:zoe'] } } });
    await s.desk.write({ text: '/config show' });
    assert.match((await s.said(1))[0]!, /^⚠️ Only the owner of this gateway may use \/config\. Add "desk:ann"/);
  });

  it('G136 channels.<id>.configWrites keeps a channel from writing', async () => {
    await using s = await openChat('kept', {
      channel: { configWrites: false },
      config: { commands: { config: true } },
    });
    const before = await s.configFile();
    await s.desk.write({ text: '/config set messages.queue.cap=7' });
    assert.match((await s.said(1))[0]!, /channels\.desk\.configWrites is false/);
    assert.equal(await s.configFile(), before);
  });
});

describe('what holds afterwards', () => {
  it('G149 /usage puts a line under the answers', async () => {
    await using s = await openChat('usage');
    await s.desk.write({ text: '/usage tokens' });
    await s.desk.write({ text: 'hello' });
    const [reported, answer] = await s.said(2);
    assert.equal(reported, '⚙️ Usage: tokens.');
    assert.match(answer!, /\n\nUsage: \d+ in, \d+ out$/);
  });

  it('G140 /send off: messages are taken, none is answered, and the journal says why', async () => {
    await using s = await openChat('send');
    await s.desk.write({ text: '/send off' });
    await s.said(1);
    await s.desk.write({ text: 'anybody?' });
    await s.desk.write({ text: '/send on' });
    await s.said(2);
    await s.desk.write({ text: 'now?' });
    await s.said(3);
    assert.equal(s.gateway.models.requests.length, 1);
    assert.ok(!s.gateway.models.requests.at(-1)!.texts.some((text) => text.includes('anybody?')));
  });

  it('G140 /activation always answers in a group without being addressed', async () => {
    await using s = await openChat('active');
    await s.desk.write({ text: '/activation always', group: 'family', addressesBot: true });
    assert.equal((await s.said(1))[0], '⚙️ Activation: always.');
    await s.desk.write({ text: 'just talking', group: 'family' });
    await s.said(2);
    assert.equal(s.gateway.models.requests.length, 1);
  });

  it('G125 in a group a command needs no mention, and a bare word is no command without one', async () => {
    await using s = await openChat('unasked');
    await s.desk.write({ text: 'wait', group: 'family' });
    await s.desk.write({ text: '/id', group: 'family' });
    await s.desk.write({ ...bob, text: '/id', group: 'family' });
    await s.desk.write({ text: 'wait', group: 'family', addressesBot: true });
    const texts = await s.said(2);
    assert.match(texts[0]!, /Sender id: ann/);
    assert.equal(texts[1], '⚙️ Nothing was running.');
    assert.equal(s.gateway.models.requests.length, 0);
  });

  it('G133 a command inside a message is a message of its own, and the answer follows', async () => {
    await using s = await openChat('inside');
    await s.desk.write({ text: 'hello /whoami there' });
    const texts = await s.said(2);
    assert.equal(texts.filter((text) => text.includes('Sender id: ann')).length, 1);
    assert.match(JSON.stringify(s.gateway.models.requests.at(-1)!.body), /hello there/);
  });

  it('/reasoning on sends the thoughts before the answer, for the chat or for one message', async () => {
    await using s = await openChat('thoughts');
    s.gateway.models.reply({ thinking: ['let me see'], text: ['one'] }, { thinking: ['again'], text: ['two'] });
    await s.desk.write({ text: '/reasoning on hello' });
    assert.deepEqual(await s.said(2), ['💭 let me see', 'one']);
    await s.desk.write({ text: 'hello' });
    assert.deepEqual((await s.said(3)).slice(2), ['two']);
  });

  it('/verbose tells of each tool, full of what came of it too', async () => {
    await using s = await openChat('tools');
    const call = { calls: [{ id: 'c1', name: 'read', args: { path: 'AGENTS.md' } }] };
    s.gateway.models.reply(call, { text: ['done'] });
    await s.desk.write({ text: '/verbose full look' });
    const texts = await s.said(3);
    assert.equal(texts[0], '🔧 read: `AGENTS.md`');
    assert.match(texts[1]!, /^✓ read\n/);
    assert.equal(texts.at(-1), 'done');
    s.gateway.models.reply(call, { text: ['quiet'] });
    await s.desk.write({ text: 'look' });
    assert.equal((await s.said(texts.length + 1)).at(-1), 'quiet');
  });

  it('/restart: the chat that asked is told when the gateway is back', async () => {
    await using s = await openChat('back', { config: { commands: { restart: true } } });
    await s.desk.write({ text: '/restart' });
    assert.match((await s.said(1))[0]!, /^⚙️ Restarting/);
    await s.gateway.instance.stopRequest;
    desks.delete('back');
    await s.gateway.restart();
    const again = await until(() => desks.get('back'), 'the desk again');
    await until(() => again.sent.some(({ text }) => text === '⚙️ The gateway is back.'), 'the word');
    assert.equal(again.sent.length, 1);
  });
});

it('native commands are handed to a channel that registers them', async () => {
  await using s = await openChat('native', { channel: { commands: { native: true } } });
  const names = s.desk.account.commands.map(({ name }) => name);
  assert.ok(names.includes('model') && names.includes('new') && !names.includes('config'), names.join(' '));
  await using quiet = await openChat('not-native');
  assert.deepEqual(quiet.desk.account.commands, []);
});

it('G107 commands.text false: text is text where commands are registered, native ones and stopping work', async () => {
  await using s = await openChat('text-off', {
    channel: { commands: { native: true } },
    config: { commands: { text: false } },
  });
  await s.desk.write({ text: '/id' });
  await s.said(1);
  assert.match(JSON.stringify(s.gateway.models.requests.at(-1)!.body), /\/id/);
  await s.desk.write({ text: '/id', native: true });
  assert.match((await s.said(2))[1]!, /Sender id: ann/);
  await s.desk.write({ text: 'stop' });
  assert.match((await s.said(3))[2]!, /^⚙️/);
});
