// What each command answers and changes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandRow, commandHarness, READ } from '../../testing/command-harness.ts';
import { COMMANDS } from './table.ts';
import { readAssignment } from './read-assignment.ts';
import { readSaid } from './read-said.ts';

describe('levels', () => {
  it('G135 are set, shown and cleared', async () => {
    const s = commandHarness();
    assert.equal(await s.say('/think high'), '⚙️ Thinking: high.');
    assert.equal(await s.say('/t'), '⚙️ Thinking: high. Levels: off, minimal, low, medium, high, xhigh, default.');
    assert.equal(await s.say('/thinking xhigh /v full'), '⚙️ Thinking: xhigh.\n⚙️ Tool notes: full.');
    assert.deepEqual([s.state.entry['thinkingLevel'], s.state.entry['verboseLevel']], ['xhigh', 'full']);
    assert.equal(await s.say('/think default'), '⚙️ Thinking: as configured.');
    assert.equal(await s.say('/reasoning stream'), '⚙️ Reasoning: stream.');
    assert.ok(!('thinkingLevel' in s.state.entry));
    assert.match((await s.say('/think harder'))!, /^⚠️ Thinking has no level "harder"/);
    assert.match((await s.say('/think constructor'))!, /^⚠️/);
    assert.equal(await s.say('/elev full'), '⚙️ Elevated is full.');
  });
});

describe('/queue', () => {
  it('G101 is set, refused with what there is, and reset', async () => {
    const s = commandHarness();
    assert.equal(
      await s.say('/queue collect debounce:2s cap:25 drop:summarize'),
      '⚙️ Queue: collect, debounce 2000 ms, cap 25, drop summarize.',
    );
    assert.deepEqual(
      [
        s.state.entry['queueMode'],
        s.state.entry['queueDebounceMs'],
        s.state.entry['queueCap'],
        s.state.entry['queueDrop'],
      ],
      ['collect', 2000, 25, 'summarize'],
    );
    assert.match(
      (await s.say('/queue sometimes'))!,
      /^⚠️ "sometimes" is not a queue mode\. Modes: collect, followup, steer, interrupt/,
    );
    for (const bad of ['debounce:soon', 'cap:0', 'drop:all'])
      assert.match((await s.say(`/queue steer ${bad}`))!, /^⚠️ (debounce|cap|drop) /);
    assert.equal(s.state.entry['queueMode'], 'collect', 'a mistake changes nothing');
    assert.equal(
      await s.say('/queue'),
      '⚙️ Queue: collect, debounce 2000 ms, cap 25, drop summarize. Modes: collect, followup, steer, interrupt.',
    );
    assert.equal(await s.say('/queue reset'), '⚙️ Queue: back to collect, debounce 1000 ms, cap 20, drop summarize.');
    assert.ok(!('queueMode' in s.state.entry) && !('queueCap' in s.state.entry));
    assert.match((await s.say('/queue steer+backlog'))!, /steer/);
  });
});

describe('/model', () => {
  it('G148 lists by number, finds by number, name, part and near spelling, and goes back', async () => {
    const s = commandHarness();
    const list = (await s.say('/model'))!;
    assert.match(
      list,
      /^⚙️ Model: anthropic\/claude-sonnet-4-6\n1\. anthropic\/claude-opus-4-6 \(opus\)\n2\. anthropic\/claude-sonnet-4-6 ←\n3\. /,
    );
    assert.equal(await s.say('/models'), list);
    assert.equal(await s.say('/model 3'), '⚙️ Model: openai/gpt-5.2 for this conversation.');
    assert.match(
      (await s.say('/model status'))!,
      /openai\/gpt-5\.2 \(chosen for this conversation\)\nThen: openai\/gpt-5\.2/,
    );
    assert.match((await s.say('/model opus'))!, /claude-opus-4-6/);
    assert.match((await s.say('/model sonnet'))!, /claude-sonnet-4-6/);
    assert.match((await s.say('/model sonet'))!, /claude-sonnet-4-6/);
    assert.equal(
      await s.say('/model gpt'),
      '⚙️ Model: openai/gpt-5.2 for this conversation. Also matches: openai/gpt-5.2-mini.',
    );
    assert.equal(await s.say('/model zzzzz'), '⚠️ No model is called "zzzzz". /models lists them.');
    assert.equal(await s.say('/model default'), '⚙️ Model: back to anthropic/claude-sonnet-4-6.');
  });
  it('is a sentence with more words behind it', async () =>
    assert.equal(await commandHarness().say('/model railways are fun'), undefined));
});

describe('/config', () => {
  const on = { commands: { config: true, debug: true } };
  it('G136 is off unless turned on, for the owner alone, and a channel can be kept from changing it', async () => {
    assert.match(
      (await commandHarness().say('/config show'))!,
      /^⚠️ \/config is turned off\. Set commands\.config to true/,
    );
    assert.match(
      (await commandHarness(on).say('/config show', { rights: [] }))!,
      /^⚠️ Only the owner .*\/config.*"telegram:4711"/,
    );
    const kept = commandHarness({ ...on, channel: { configWrites: false } });
    for (const text of [
      '/config set a.b=1',
      '/config unset a.b',
      '/debug set channels.telegram.configWrites=true',
      '/debug unset a',
      '/debug reset',
    ])
      assert.match((await kept.say(text))!, /^⚠️ The configuration cannot be changed from telegram/, text);
    assert.match((await kept.say('/config unset a.b'))!, /^⚠️/);
    assert.match((await kept.say('/config show'))!, /^⚙️ Configuration\n```json/);
    assert.deepEqual(kept.state.written, []);
  });
  it('G137 G138 sets, shows and unsets', async () => {
    const s = commandHarness(on);
    assert.equal(await s.say('/config set messages.responsePrefix="[x]"'), '⚙️ messages.responsePrefix is set.');
    assert.match((await s.say('/config set gateway.port=1'))!, /restart/);
    assert.match((await s.say('/config unset a.b'))!, /removed/);
    assert.equal(await s.say('/config get messages.queue.cap'), await s.say('/config show messages.queue.cap'));
    assert.match((await s.say('/config get no.such'))!, /is not set/);
    assert.equal(await s.say('/config set a.b'), '⚠️ Usage: /config set path=value');
    assert.match((await s.say('/config set a=bad'))!, /^⚠️ The change would leave/);
    assert.match((await s.say('/config what'))!, /Usage/);
    assert.deepEqual(s.state.written, [
      ['messages.responsePrefix', '[x]'],
      ['gateway.port', 1],
      ['a.b', undefined],
    ]);
  });
  it('G137 reads values as people type them', () => {
    const value = (text: string): unknown => readAssignment(`p=${text}`)?.value;
    assert.deepEqual(
      ['"[x]"', 'true', '{"a":1}', '[1,2]', 'null', '-1.5', 'plain words', "'quoted'", '{not json', '+49 170'].map(
        value,
      ),
      ['[x]', true, { a: 1 }, [1, 2], null, -1.5, 'plain words', 'quoted', '{not json', '+49 170'],
    );
    assert.deepEqual(
      [readAssignment('p='), readAssignment('=1'), readAssignment('p'), readAssignment('a["b=c"].d=1')?.path],
      [undefined, undefined, undefined, 'a["b=c"].d'],
    );
  });
  it('G139 /debug lays over and takes away', async () => {
    const s = commandHarness(on);
    assert.equal(await s.say('/debug show'), '⚙️ Nothing is overridden.');
    assert.match((await s.say('/debug set messages.queue.cap=3'))!, /until the next start/);
    assert.match((await s.say('/debug'))!, /"messages\.queue\.cap": 3/);
    assert.match((await s.say('/debug unset messages.queue.cap'))!, /has the value of the file again/);
    await s.say('/debug set a=1');
    assert.equal(await s.say('/debug reset'), '⚙️ All overrides are removed.');
    assert.deepEqual(s.state.overrides, {});
    assert.match((await s.say('/debug set a=bad'))!, /^⚠️/);
    assert.deepEqual(s.state.written, []);
  });
});

describe('the place', () => {
  it("G140 activation and send are the owner's, and need their slash", async () => {
    const s = commandHarness();
    assert.match((await s.say('/activation always'))!, /groups only/);
    assert.equal(await s.say('/activation always', { kind: 'group' }), '⚙️ Activation: always.');
    assert.equal(s.state.entry['groupActivation'], 'always');
    assert.match((await s.say('/activation always', { kind: 'group', rights: [] }))!, /Only the owner/);
    assert.match((await s.say('/send off', { rights: [] }))!, /Only the owner/);
    for (const text of ['send off', 'activation always']) assert.equal(await s.say(text), undefined);
    assert.match((await s.say('/send off'))!, /off/);
    assert.equal(s.state.entry['sendPolicy'], 'deny');
    await s.say('/send on');
    assert.equal(s.state.entry['sendPolicy'], 'allow');
    await s.say('/send inherit');
    assert.ok(!('sendPolicy' in s.state.entry));
    assert.equal(await s.say('/send a mail to Bob'), undefined, 'a sentence');
  });

  it('/exec holds commands to stricter rules', async () => {
    const s = commandHarness();
    assert.match((await s.say('/exec host=gateway security=deny'))!, /host=gateway security=deny/);
    await s.say('/exec ask=always');
    assert.deepEqual(s.state.entry['exec'], { host: 'gateway', security: 'deny', ask: 'always' });
    assert.match((await s.say('/exec security=none'))!, /^⚠️ security is one of/);
    assert.match((await s.say('/exec node=x'))!, /^⚠️ tools\.exec\.node decides on the node; leave out node=/);
    assert.match((await s.say('/exec default'))!, /as configured/);
    assert.ok(!('exec' in s.state.entry));
    assert.match((await s.say('/exec ask=off', { rights: [] }))!, /Only the owner/);
  });

  it('/allowlist takes stable ids and nothing else', async () => {
    const s = commandHarness({ channel: { allowFrom: ['1', '2'], groupAllowFrom: ['3'] } });
    assert.match((await s.say('/allowlist'))!, /Direct chats \(pairing\): 1, 2\nGroups \(allowlist\): 3/);
    assert.match(
      (await s.say('/allowlist add telegram:77'))!,
      /77 may write in direct chats \(channels\.telegram\.allowFrom\)/,
    );
    await s.say('/allowlist remove group 3');
    await s.say('/allowlist remove 2');
    assert.deepEqual(s.state.written, [
      ['channels.telegram.allowFrom', ['1', '2', '77']],
      ['channels.telegram.groupAllowFrom', []],
      ['channels.telegram.allowFrom', ['1']],
    ]);
    for (const [text, said] of [
      ['add @ann', /not a sender id/],
      ['add Ann', /not a sender id/],
      ['add *', /cannot be opened to everybody from a chat/],
      ['add 1', /already/],
      ['remove 9', /not in the list/],
    ] as const)
      assert.match((await s.say(`/allowlist ${text}`))!, said, text);
    assert.equal(s.state.written.length, 3);
    const shared = commandHarness({ channel: { allowFrom: ['1'] } });
    await shared.say('/allowlist add group 7');
    assert.deepEqual(
      shared.state.written,
      [['channels.telegram.groupAllowFrom', ['1', '7']]],
      'nobody loses what they had',
    );
    assert.match(
      (await s.say('/allowlist add slack:55', { channel: 'webchat' }))!,
      /55 may write in direct chats \(channels\.slack\.allowFrom\)/,
    );
    assert.match((await s.say('/allowlist list slack', { channel: 'webchat' }))!, /^⚙️ slack\n/);
    for (const text of ['/allowlist', '/allowlist add 55', '/allowlist add irc:55'])
      assert.match((await s.say(text, { channel: 'webchat' }))!, /^⚠️ Give the channel/, text);
    assert.match(
      (await commandHarness({ channel: { configWrites: false } }).say('/allowlist add 5'))!,
      /cannot be changed/,
    );
  });

  it('/restart is off unless turned on', async () => {
    assert.match((await commandHarness().say('/restart'))!, /turned off/);
    const s = commandHarness({ commands: { restart: true } });
    assert.match((await s.say('/restart'))!, /^⚙️ Restarting in about 2 s/);
    assert.deepEqual(s.state.calls, ['restart']);
  });
});

describe('information', () => {
  it('G149 /usage goes round, is kept, and tells the cost', async () => {
    const s = commandHarness({ entry: { inputTokens: 10, outputTokens: 3, costUsd: 0.5 } });
    const round = [await s.say('/usage'), await s.say('/usage'), await s.say('/usage')];
    assert.deepEqual(round, ['⚙️ Usage: tokens.', '⚙️ Usage: full.', '⚙️ Usage: off.']);
    await s.say('/usage full');
    assert.equal(s.state.entry['responseUsage'], 'full');
    assert.equal(await s.say('/usage cost'), '⚙️ This conversation: 10 tokens in, 3 out. About $0.5000.');
    assert.equal(await s.say('/cost'), await s.say('/usage cost'));
    assert.match((await s.say('/usage everything'))!, /^⚠️/);
  });
  it('/whoami spells the person as allowlists want it', async () => {
    assert.match(
      (await commandHarness().say('/id'))!,
      /Sender id: 4711\n[\s\S]*For allowlists: "telegram:4711"\nYou are the owner\./,
    );
    assert.doesNotMatch((await commandHarness().say('/whoami', { rights: [] }))!, /the owner/);
  });
  it('/context names what takes the room, biggest first', async () =>
    assert.equal(
      await commandHarness().say('/context'),
      '⚙️ Context: about 2000 of 8000 tokens (25 %)\nTools (4): 1100\nPrompt: 900\n/compact makes room.',
    ));
  it('/help names the commands that are on, /commands tells of each, page by page', async () => {
    const help = (await commandHarness().say('/help'))!;
    assert.match(help, /^⚙️ Commands\nConversation: \/new/);
    assert.ok(!help.includes('/config') && !help.includes('/restart'));
    assert.ok((await commandHarness({ commands: { config: true } }).say('/help'))!.includes('/config'));
    const first = (await commandHarness().say('/commands'))!;
    assert.match(first, /^⚙️ Commands \(1 of 3\)\n\/new \[model\] \[message\] — [\s\S]*\nMore: \/commands 2$/);
    assert.match((await commandHarness().say('/commands 2'))!, /\(2 of 3\)/);
    assert.match((await commandHarness().say('/commands 99'))!, /\(3 of 3\)(?![\s\S]*More)/);
  });
});

it('/new takes a model it surely knows, and everything else for words', async () => {
  const answers = async (text: string): Promise<string> => {
    const s = commandHarness();
    const [name = '', ...words] = text.split(' ');
    const answer = await COMMANDS.find((one) => `/${one.name}` === name)!.run(
      { args: words.join(' '), row: {} as never, sessionKey: 'k' },
      s.host,
    );
    return `${String(s.state.entry['modelOverride'] ?? '-')}: ${'turn' in answer ? answer.turn.slice(0, 24) : ''}`;
  };
  assert.equal(await answers('/new opus fix it'), 'claude-opus-4-6: fix it');
  assert.equal(await answers('/new sonnet'), 'claude-sonnet-4-6: A new session has begun.');
  assert.equal(await answers('/new gpt-5,2 x'), '-: gpt-5,2 x');
  assert.equal(await answers('/new gpt-52 x'), 'gpt-5.2: x');
  assert.equal(await answers('/reset fix the mini bar'), '-: fix the mini bar');
  assert.equal(await answers('/new mini bar ideas'), '-: mini bar ideas');
  assert.equal(await answers('/new a/b is a path'), '-: a/b is a path');
});

describe('a slash command nobody knows', () => {
  it('that is nearly one somebody does is asked about; what is like none is for the agent', async () => {
    const s = commandHarness();
    assert.match((await s.say('/stauts'))!, /^⚙️ Unknown command \/stauts\. Did you mean `\/status`\?/);
    assert.match((await s.say('/modle opus'))!, /Did you mean `\/model opus`\?/);
    assert.match((await s.say('/COMPCT: keep the plan'))!, /Did you mean `\/compact keep the plan`\?/);
    for (const text of [
      '/etc/hosts is missing',
      '/tmp',
      '/home',
      '/usr',
      '/src/stauts',
      '/imagine a cat',
      'what is /stauts?',
      '/stauts\nand below',
      '/x',
      '/deploy now',
      '//status',
    ])
      assert.equal(await s.say(text), undefined, text);
    assert.equal(await s.say('/stauts', { authorized: false }), undefined, 'who may use none is not led to one');
  });
});

describe('/subagents, /skill, /tts, /bash', () => {
  it('/subagents lists those of the conversation and stops them', async () => {
    const s = commandHarness();
    assert.match((await s.say('/subagents'))!, /^⚙️ Sub-agents\n1\. Look it up \(main\)\n2\. Count \(main\)\n/);
    assert.equal(await s.say('/subagents stop 2'), '⚙️ Stopped 1 sub-agent.');
    assert.equal(await s.say('/subagents stop all'), '⚙️ Stopped 2 sub-agents.');
    assert.match((await s.say('/subagents stop 3'))!, /^⚠️ There is no sub-agent 3/);
    assert.match((await s.say('/subagents kill 0'))!, /^⚠️/);
    assert.deepEqual(s.state.calls, ['stop x2', 'stop x1,x2']);
  });

  it('/skill lists them; with a name the agent is asked to use it', async () => {
    assert.match((await commandHarness().say('/skill'))!, /^⚙️ Skills\nmaps: Finds the way\.\n/);
    const said = (text: string, person = {}) => readSaid(commandRow(text, person), READ);
    assert.deepEqual(said('/skill maps to Rome\nby bike').alone, []);
    assert.match(said('/skill maps to Rome\nby bike').text, /^Use the skill "maps": [\s\S]*\n\nto Rome\nby bike$/);
  });

  it('/tts says that there is none; /bash is off until it is turned on, and for the owner', async () => {
    assert.match((await commandHarness().say('/tts'))!, /no text-to-speech/);
    assert.match((await commandHarness().say('/bash ls'))!, /^⚠️ \/bash is turned off\. Set commands\.bash to true/);
    const on = commandHarness({ commands: { bash: true } });
    assert.equal(await on.say('/bash ls -la'), '⚙️ Code 0');
    assert.equal(await on.say('/bash poll calm-harbor'), '⚙️ Code 0');
    assert.match((await on.say('/bash'))!, /Usage/);
    assert.match((await on.say('/bash id', { rights: [] }))!, /Only the owner/);
    assert.equal(await on.say('please /bash ls'), undefined, 'in a sentence it is a word');
    assert.deepEqual(on.state.calls, ['bash {"command":"ls -la"}', 'bash {"poll":"calm-harbor"}']);
  });
});
