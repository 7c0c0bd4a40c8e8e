/** A message that kills the gateway twice is set aside and its sender notified; messages behind it are answered. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { createCaseRunner, type CrashCase } from './case-runner.ts';
import { openRows } from './journal.ts';
import { connect, crashConfig, LINK, stop, type Running } from './scenario.ts';

const SET_ASIDE = /^⚠️ The gateway crashed twice while it processed this message/;

/** One case after the other on one state directory: the process that recovers after a case is the first the next case kills. */
const cases = createCaseRunner(crashConfig);
after(() => cases[Symbol.asyncDispose]());

const writes = ({ fixture, nth }: CrashCase, ...texts: readonly string[]): void =>
  texts.forEach((text, index) => {
    const id = `u${nth}-${index}`;
    fixture.unacknowledged.set(id, { id, chat: `ann${nth}`, text });
  });
const quiet = ({ fixture, home }: CrashCase): Promise<unknown> =>
  until(() => fixture.unacknowledged.size === 0 && openRows(home) === 0, 'every end');

for (const [checkpoint, text, asked, endsInOrder] of [
  ['model.before', 'one', 1, false],
  ['model.after', 'one', 3, true],
  ['understand.before', `one ${LINK}`, 1, false],
] as const) {
  test(`dead twice at ${checkpoint}: the message is set aside, told once, and the next one is answered`, () =>
    cases.run(async (state) => {
      const { fixture } = state;
      const before = { sends: fixture.sends.length, calls: fixture.modelCalls };
      await state.arm(`${checkpoint}:1`);
      writes(state, text, 'two');
      await state.current().gone;
      await (await state.again(`${checkpoint}:1`)).gone;
      const third = await state.again();
      await quiet(state);
      // What was set aside stays so in the process after it; the next case begins with that one.
      if (endsInOrder) {
        await stop(third);
        await state.again();
        await quiet(state);
      }
      const said = fixture.sends.slice(before.sends).map((one) => one.text);
      assert.equal(said.length, 2, said.join('\n'));
      assert.match(said[0]!, SET_ASIDE);
      assert.equal(said[1], 'echo two');
      assert.equal(fixture.modelCalls - before.calls, asked, 'the model was not asked for it again');
    }));
}

test('in the web chat it has its end, stands in the history, and can be sent again', () =>
  cases.run(async (state) => {
    const say = async (running: Running, key: string): Promise<any> => {
      const client = await connect(running);
      await client.call('chat.send', { sessionKey: 'agent:main:web', message: 'first', idempotencyKey: key });
      return client;
    };
    const first = state.current();
    await state.arm('model.before:1');
    await say(first, 'web-0').catch(() => undefined);
    await first.gone;
    await (await state.again('model.before:1')).gone;
    const client: any = await connect(await state.again());
    const ended = await client.call('agent.wait', { runId: 'web-0', timeoutMs: 60_000 });
    assert.equal(ended.status, 'error');
    await assert.rejects(
      client.call('chat.send', { sessionKey: 'agent:main:web', message: 'first', idempotencyKey: 'web-0' }),
      /crashed twice/,
      'the same one once more is answered the same',
    );
    await client.call('chat.send', { sessionKey: 'agent:main:web', message: 'first', idempotencyKey: 'web-1' });
    assert.equal((await client.call('agent.wait', { runId: 'web-1', timeoutMs: 60_000 })).status, 'ok');
    const { messages } = await client.call('chat.history', { sessionKey: 'agent:main:web', limit: 10 });
    assert.deepEqual(
      messages.map(({ role }: any) => role),
      ['user', 'assistant', 'user', 'assistant'],
      JSON.stringify(messages),
    );
    client.close();
  }));

test('runs that ended in good order do not count, nor does one kill', () =>
  cases.run(async (state) => {
    const { fixture } = state;
    const before = { sends: fixture.sends.length, calls: fixture.modelCalls };
    await state.arm('model.before:1');
    writes(state, 'one');
    await state.current().gone;
    fixture.pause = () => 30_000;
    const second = await state.again();
    await until(() => fixture.modelCalls === before.calls + 1, 'the turn under way');
    await stop(second);
    await (await state.again('model.before:1')).gone;
    fixture.pause = undefined;
    await state.again();
    await quiet(state);
    assert.deepEqual(
      fixture.sends.slice(before.sends).map((one) => one.text),
      ['echo one'],
    );
  }));
