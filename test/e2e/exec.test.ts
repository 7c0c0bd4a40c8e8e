/** Commands in the whole product: proven, approved, refused, in the background, elevated, and reported at the end. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { isAlive } from '../../src/testing/process-alive.ts';
import { until } from '../../src/testing/until.ts';

const FREE = { tools: { exec: { security: 'full', ask: 'off' } } };

const bash = (args: object, id = 'call') => ({ calls: [{ id, name: 'bash', args }] });
const processCall = (args: object, id = 'look') => ({ calls: [{ id, name: 'process', args }] });
const workspaceOf = (gateway: RunningGateway): string => join(gateway.stateDir, '..', 'clawd');
const results = (gateway: RunningGateway, nth: number): string[] =>
  gateway.models.requests[nth]!.toolResults.map(({ text }) => text);
const asked = async (chat: Chat): Promise<any> =>
  (await chat.event((frame) => frame.event === 'exec.approval.requested')).payload;

describe('a command', () => {
  it('that is proven harmless runs without a question, as it was proven', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'echo "one  two" && pwd' }), { text: ['Done.'] });
    assert.equal(await chat.say('where are you?'), 'Done.');
    assert.match(results(gateway, 1)[0]!, /one {2}two\n.*clawd/);
    assert.equal(
      chat.events.some((frame: any) => frame.event === 'exec.approval.requested'),
      false,
    );
  });

  it('that nobody proved waits for a person, shows itself whole, and runs once it is allowed', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'touch made.txt; echo $((1 + 1))' }), { text: ['Done.'] });
    const sent = await chat.send('make it');
    const request = await asked(chat);
    assert.equal(request.request.command, 'touch made.txt; echo $((1 + 1))');
    assert.ok(request.request.reasons.length > 0, 'it says why it asks');
    assert.equal(existsSync(join(workspaceOf(gateway), 'made.txt')), false, 'nothing ran before the answer');
    assert.equal((await chat.call('exec.approval.list')).length, 1);
    await chat.call('exec.approval.resolve', { id: request.id, decision: 'allow-once' });
    assert.equal((await sent.ended).text, 'Done.');
    assert.equal(results(gateway, 1)[0], '2');
    assert.ok(existsSync(join(workspaceOf(gateway), 'made.txt')));
    assert.equal((await chat.call('exec.approval.list')).length, 0);
  });

  it('that is denied leaves the model with a clear no', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'touch never.txt' }), { text: ['As you wish.'] });
    const sent = await chat.send('do it');
    const request = await asked(chat);
    assert.equal(await chat.say(`/approve ${request.slug} deny`), `⚙️ Denied ${request.slug}.`);
    assert.equal((await sent.ended).text, 'As you wish.');
    assert.match(results(gateway, 1)[0]!, /user-denied/);
    assert.equal(existsSync(join(workspaceOf(gateway), 'never.txt')), false);
  });

  it('is remembered after "always", for that command only (T59)', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(
      bash({ command: 'touch a.txt' }),
      { text: ['One.'] },
      bash({ command: 'touch a.txt' }),
      { text: ['Two.'] },
      bash({ command: 'touch c' }),
      { text: ['Three.'] },
    );
    const first = await chat.send('one');
    const request = await asked(chat);
    await chat.call('exec.approval.resolve', { id: request.id, decision: 'allow-always' });
    assert.equal((await first.ended).text, 'One.');
    rmSync(join(workspaceOf(gateway), 'a.txt'));
    assert.equal(await chat.say('two'), 'Two.');
    assert.ok(existsSync(join(workspaceOf(gateway), 'a.txt')), 'it ran unasked');
    assert.match(readFileSync(join(gateway.stateDir, 'exec-approvals.json'), 'utf8'), /touch/);
    const third = await chat.send('three');
    const other = (
      await chat.event((frame) => frame.event === 'exec.approval.requested' && (frame.payload as any).id !== request.id)
    ).payload;
    await chat.call('exec.approval.resolve', { id: other.id, decision: 'deny' });
    assert.equal((await third.ended).text, 'Three.');
    assert.equal(existsSync(join(workspaceOf(gateway), 'c')), false);
  });

  it('that waits for a person longer than a call may take holds up nobody, and is told of when it ran', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(
      bash({ command: 'touch later.txt', yieldMs: 10 }),
      { text: ['I wait for your word.'] },
      { text: ['Hello to you.'] },
      { text: ['It is there now.'] },
    );
    assert.equal(await chat.say('make it'), 'I wait for your word.');
    assert.match(results(gateway, 1)[0]!, /^Approval \w{8} is pending: a person was asked/);
    assert.equal(await chat.say('hello meanwhile'), 'Hello to you.');
    const request = await asked(chat);
    assert.equal(existsSync(join(workspaceOf(gateway), 'later.txt')), false, 'nothing ran before the answer');
    await chat.call('exec.approval.resolve', { id: request.id, decision: 'allow-once' });
    await until(() => gateway.models.requests.length === 4, 'the agent is told');
    assert.match(
      JSON.stringify(gateway.models.requests[3]!.body.messages.at(-1)),
      /System event: Exec completed \([\w-]+, code 0\) :: .*after approval: touch later\.txt/,
    );
    assert.ok(existsSync(join(workspaceOf(gateway), 'later.txt')));
    await until(async () => (await chat.history()).some(({ text }: any) => text === 'It is there now.'), 'and says so');
  });

  it('that is denied after the conversation went on is not run, and the agent hears of it', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(
      bash({ command: 'touch never.txt', background: true }),
      { text: ['I wait.'] },
      { text: ['Then not.'] },
    );
    assert.equal(await chat.say('make it'), 'I wait.');
    await chat.call('exec.approval.resolve', { id: (await asked(chat)).id, decision: 'deny' });
    await until(() => gateway.models.requests.length === 3, 'the agent is told');
    assert.match(
      JSON.stringify(gateway.models.requests[2]!.body.messages.at(-1)),
      /System event: Exec denied \(gateway id=\w{8}, user-denied/,
    );
    assert.equal(existsSync(join(workspaceOf(gateway), 'never.txt')), false);
  });

  it('that waited when the gateway ended is told of by its next run, and is not run', async () => {
    await using gateway = await startGateway();
    {
      await using chat = await gateway.connect();
      gateway.models.reply(bash({ command: 'touch never.txt', background: true }), { text: ['I wait.'] });
      assert.equal(await chat.say('make it'), 'I wait.');
    }
    gateway.models.reply({ text: ['Shall I ask again?'] });
    await gateway.restart({ graceMs: 0 });
    await until(() => gateway.models.requests.length === 3, 'the agent is told');
    assert.match(
      JSON.stringify(gateway.models.requests[2]!.body.messages.at(-1)),
      /System event: Exec interrupted \(gateway id=\w{8}\)/,
    );
    assert.equal(existsSync(join(workspaceOf(gateway), 'never.txt')), false);
    await until(
      () =>
        !existsSync(join(gateway.stateDir, 'waiting-commands')) ||
        readdirSync(join(gateway.stateDir, 'waiting-commands')).length === 0,
      'and forgotten',
    );
  });

  it('of a program that waits for its one answer holds that answer', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'touch held.txt', yieldMs: 10 }), { text: ['Done.'] });
    const run = chat.call('agent', { message: 'make it', idempotencyKey: 'p1' });
    await chat.call('exec.approval.resolve', { id: (await asked(chat)).id, decision: 'allow-once' });
    await run;
    await until(() => gateway.models.requests.length === 2, 'the answer');
    // What the command said, or that it runs; never that somebody has to be asked.
    assert.match(results(gateway, 1)[0]!, /^(?:\(no output\)$|Command still running)/);
    await until(() => existsSync(join(workspaceOf(gateway), 'held.txt')), 'the command');
  });

  it('that nobody answers in time is not run, and the model hears why', async () => {
    await using gateway = await startGateway({ config: { tools: { exec: { approvalTimeoutSec: 1 } } } });
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'touch late.txt' }), { text: ['Nobody was there.'] });
    assert.equal(await chat.say('do it'), 'Nobody was there.');
    assert.match(results(gateway, 1)[0]!, /approval-timeout/);
    assert.equal(existsSync(join(workspaceOf(gateway), 'late.txt')), false);
  });

  it('is not run when the file it names changed between question and answer', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('hello'); // the workspace is made with the first turn
    const script = join(workspaceOf(gateway), 'job.sh');
    writeFileSync(script, 'echo good\n');
    gateway.models.reply(bash({ command: 'sh job.sh' }), { text: ['Hm.'] });
    const sent = await chat.send('run it');
    const request = await asked(chat);
    writeFileSync(script, 'echo evil\n');
    await chat.call('exec.approval.resolve', { id: request.id, decision: 'allow-once' });
    assert.equal((await sent.ended).text, 'Hm.');
    assert.match(results(gateway, 2)[0]!, /the script .*job\.sh changed since then/);
  });

  it('streams its output while it runs, and ends with its exit code', async () => {
    await using gateway = await startGateway({ config: FREE });
    await using chat = await gateway.connect();
    gateway.models.reply(
      bash({ command: 'echo early; while [ ! -e go ]; do sleep 0.02; done; echo late >&2; exit 3' }),
      { text: ['It failed.'] },
    );
    const sent = await chat.send('run');
    const progress = await chat.event(
      (frame) =>
        frame.event === 'agent' &&
        frame.payload.stream === 'tool' &&
        JSON.stringify(frame.payload.data).includes('early') &&
        JSON.stringify(frame.payload.data).includes('update'),
    );
    assert.ok(progress);
    writeFileSync(join(workspaceOf(gateway), 'go'), '');
    assert.equal((await sent.ended).text, 'It failed.');
    assert.match(results(gateway, 1)[0]!, /^early\nlate\n\n.*exited with code 3/s);
  });

  it('ends with the turn that is stopped, but not what is in the background', async () => {
    await using gateway = await startGateway({ config: FREE });
    await using chat = await gateway.connect();
    gateway.models.reply(
      bash({ command: 'echo $$ > background.pid; exec sleep 300', background: true }),
      bash({ command: 'echo $$ > foreground.pid; sleep 300' }, 'second'),
      { text: ['never'] },
    );
    const sent = await chat.send('run');
    await until(
      () =>
        existsSync(join(workspaceOf(gateway), 'foreground.pid')) &&
        existsSync(join(workspaceOf(gateway), 'background.pid')),
    );
    await chat.call('chat.abort', { sessionKey: 'main' });
    assert.equal((await sent.ended).state, 'aborted');
    const pid = (name: string): number => Number(readFileSync(join(workspaceOf(gateway), name), 'utf8'));
    await until(async () => !(await isAlive(pid('foreground.pid'))));
    assert.ok(await isAlive(pid('background.pid')));
    const { processes } = await chat.call('process.list');
    assert.equal(processes.length, 1);
    await chat.call('process.kill', { sessionId: processes[0].sessionId });
    await until(async () => !(await isAlive(pid('background.pid'))));
  });

  it('in the background is polled, and its end told once to its session', async () => {
    await using gateway = await startGateway({ config: FREE });
    await using chat = await gateway.connect();
    gateway.models.reply(
      bash({ command: 'while [ ! -e go ]; do sleep 0.02; done; echo finished', background: true }),
      { text: ['Started.'] },
      { text: ['It is done.'] },
    );
    assert.equal(await chat.say('start it'), 'Started.');
    assert.match(results(gateway, 1)[0]!, /background|running/i);
    writeFileSync(join(workspaceOf(gateway), 'go'), '');
    await until(() => gateway.models.requests.length === 3);
    assert.match(
      gateway.models.requests[2]!.texts.at(-1)!,
      /System event: Exec completed \(.+, code 0\) :: "finished"/,
    );
    await until(async () => (await chat.history()).some(({ text }) => text === 'It is done.'));
    await gateway.restart();
    assert.equal(gateway.models.requests.length, 3, 'a restart tells nothing again');
  });

  it('shows head and tail of a long output, and the log has all of it', async () => {
    await using gateway = await startGateway({ config: FREE });
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'seq 1 100000' }), { text: ['Long.'] });
    await chat.say('count');
    const said = results(gateway, 1)[0]!;
    assert.match(said, /^1\n2\n[\s\S]*characters left out[\s\S]*\n100000\n\n\d+ characters in the middle/);
    assert.ok(said.length < 31_000, `${said.length} characters`);
    const sessionId = /log of session ([\w-]+)/.exec(said)![1]!;
    const { output, totalLines } = await chat.call('process.log', { sessionId, offset: 50_000, limit: 2 });
    assert.deepEqual([output, totalLines], ['50001\n50002', 100_000]);
    assert.equal(gateway.models.requests.length, 2, 'nobody is told of an end that was seen');
  });

  it('whose end the agent saw by polling is not told again', async () => {
    await using gateway = await startGateway({ config: FREE });
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'echo quick', background: true }), processCall({ action: 'list' }), {
      text: ['ok'],
    });
    await chat.say('start it');
    const [session] = (await chat.call('process.list')).processes;
    gateway.models.reply(
      processCall({ action: 'poll', sessionId: session.sessionId, timeout: 5000 }),
      processCall({ action: 'poll', sessionId: session.sessionId, timeout: 5000 }),
      { text: ['seen'] },
    );
    const before = gateway.models.requests.length;
    await chat.say('poll it');
    assert.ok(gateway.models.requests.length - before >= 2);
  });

  it('stays in the foreground when the agent may not look after processes (T22)', async () => {
    await using gateway = await startGateway({ config: { tools: { ...FREE.tools, deny: ['process'] } } });
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'sleep 0.1; echo there', background: true }), { text: ['ok'] });
    await chat.say('go');
    assert.match(results(gateway, 1)[0]!, /background execution is disabled[\s\S]*there/);
  });
});

describe('elevated', () => {
  it('full skips approval for a session once it is set; inside a sentence it is a word like any other', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['One.'] }, bash({ command: 'touch two.txt' }), { text: ['Two.'] });
    assert.equal(await chat.say('/elevated full make the file'), 'One.');
    assert.match(gateway.models.requests[0]!.texts.at(-1)!, /\/elevated full make the file/);
    assert.match(JSON.stringify(chat.events), /\/elevated was ignored: it changes permissions/);
    assert.match(await chat.say('/elevated'), /is off/);
    assert.match(await chat.say('/elevated full'), /full for this session/);
    assert.equal(await chat.say('and again'), 'Two.');
    assert.ok(existsSync(join(workspaceOf(gateway), 'two.txt')));
    assert.match(await chat.say('/elevated'), /is full/);
    await chat.say('/elevated off');
    assert.match(await chat.say('/elevated'), /is off/);
  });

  it('is refused where configuration closes it, with the gate named (T5)', async () => {
    await using gateway = await startGateway({ config: { tools: { elevated: { enabled: false } } } });
    await using chat = await gateway.connect();
    assert.match(await chat.say('/elevated full'), /tools\.elevated\.enabled/);
    gateway.models.reply(bash({ command: 'id', elevated: true }), { text: ['no'] });
    await chat.say('go');
    assert.match(results(gateway, 1)[0]!, /provider=webchat session=agent:main:main/);
  });
});

it('the offline concierge runs commands, starts them in the background and polls them', async () => {
  await using gateway = await startGateway({
    offline: true,
    config: { agents: { defaults: { model: 'offline/concierge' } }, ...FREE },
  });
  await using chat = await gateway.connect();
  assert.match(await chat.say('run echo hello from here'), /hello from here/);
  assert.match(await chat.say('run exit 4'), /4/);
  const started = await chat.say('background sleep 300');
  const [process_] = (await chat.call('process.list')).processes;
  assert.ok(started.includes(process_.sessionId), started);
  assert.match(await chat.say('poll'), /still running|running/i);
  await chat.call('process.kill', { sessionId: process_.sessionId });
});

it('a gateway that answered plain messages has loaded nothing of all this', async () => {
  await using gateway = await startGateway();
  await using chat = await gateway.connect();
  await chat.say('hello');
  assert.equal(
    existsSync(join(gateway.stateDir, 'processes')) && readdirSync(join(gateway.stateDir, 'processes')).length > 0,
    false,
  );
});
