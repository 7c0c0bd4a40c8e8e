/** With only the offline model: reminders are sent, sessions exchange messages, heartbeats stay silent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { openTime } from './time-harness.ts';

describe('the concierge', () => {
  it('reminds where it was asked', async () => {
    await using harness = await openTime('remind', { offline: true });
    await harness.desk.write({ text: 'remind me in 1 second to stretch' });
    await until(() => harness.said().length === 2, 'the reminder');
    assert.match(harness.said()[0]!, /^Noted: once, /);
    assert.match(harness.said()[1]!, /⏰ .*stretch/i);
    assert.deepEqual(harness.desk.sent[1]!.to, harness.desk.sent[0]!.to);
  });

  it('reminds in the web chat too, lists what is to come and forgets it', async () => {
    await using harness = await openTime('remindweb', { offline: true });
    assert.match(await harness.chat.say('remind me every weekday at 7 to walk the dog'), /weekday at 07:00/);
    assert.match(await harness.chat.say('jobs'), /walk the dog/);
    const [job] = (await harness.chat.call('cron.list')).jobs;
    await harness.chat.call('cron.run', { id: job.id, mode: 'force' });
    await until(
      async () => (await harness.chat.history()).some(({ role, text }) => role === 'assistant' && /⏰/.test(text)),
      'the reminder',
    );
    assert.match(await harness.chat.say(`forget job ${job.name}`), /forgotten|removed|gone/i);
    assert.deepEqual((await harness.chat.call('cron.list', { includeDisabled: true })).jobs, []);
  });

  it('tells another session, and its answer comes back', async () => {
    await using harness = await openTime('tell', {
      offline: true,
      channel: { groups: { '*': { requireMention: false } } },
    });
    await harness.desk.write({ text: 'processes', group: 'room' });
    await until(() => harness.said().length === 1, 'the group');
    assert.match(await harness.chat.say('sessions'), /room/);
    assert.match(await harness.chat.say('tell agent:main:desk:group:room: the cake is ready'), /./);
    await until(
      async () =>
        (await harness.chat.history('agent:main:desk:group:room')).some(({ text }) => /the cake is ready/.test(text)),
      'the message',
    );
    await until(async () => (await harness.chat.call('status')).activeTurns === 0, 'everything to come to rest');
    assert.equal(harness.said().length, 1, 'nothing is announced');
  });

  it('has nothing to say at a heartbeat, and relays an event', async () => {
    await using harness = await openTime('beat', {
      offline: true,
      config: { agents: { defaults: { heartbeat: { every: '1s' } } } },
    });
    await harness.desk.write({ text: 'processes' });
    await until(() => harness.said().length === 1, 'the chat');
    await until(async () => (await harness.chat.call('last-heartbeat'))?.status !== undefined, 'a beat');
    await harness.chat.call('wake', { mode: 'now', text: 'The kettle boils' });
    await until(() => harness.said().length === 2, 'the event');
    assert.match(harness.said()[1]!, /kettle/);
  });
});
