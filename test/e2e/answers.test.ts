/** Every read-only method of a running gateway answers as its schema says, and every method has a schema. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerSchemas, frameFault, payloadSchemas } from '../../src/testing/answer-check.ts';
import { everyMethod } from '../../src/testing/every-method.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';

const SESSION = 'agent:main:main';

/** Method → parameters; `run` is a run that has ended, `job` a job with a run. */
const READS: Readonly<Record<string, (known: { run: string; job: string }) => object>> = {
  'a2ui.get': () => ({}),
  'a2ui.list': () => ({}),
  'access.explain': () => ({ channel: 'webchat', verb: 'send', resource: 'conversation' }),
  'access.recent': () => ({}),
  'agent.identity.get': () => ({}),
  'agents.describe': () => ({}),
  'agents.files.get': () => ({ agentId: 'main', name: 'AGENTS.md' }),
  'agents.files.list': () => ({ agentId: 'main' }),
  'agents.list': () => ({}),
  'canvas.documents.list': () => ({}),
  'canvas.open': () => ({ url: '/__openclaw__/canvas/' }),
  'channels.capabilities': () => ({}),
  'channels.status': () => ({ probe: true }),
  'chat.history': () => ({ sessionKey: SESSION }),
  'chat.timeline': ({ run }) => ({ runId: run }),
  'config.get': () => ({}),
  'config.history': () => ({}),
  'config.schema': () => ({}),
  'cron.calendar': () => ({}),
  'cron.get': ({ job }) => ({ id: job }),
  'cron.list': () => ({ includeDisabled: true }),
  'cron.preview': () => ({ schedule: 'every weekday at 7' }),
  'cron.runs': () => ({}),
  'cron.status': () => ({}),
  health: () => ({ probe: true }),
  'last-heartbeat': () => ({}),
  'logs.subscribe': () => ({}),
  'logs.tail': () => ({}),
  'logs.unsubscribe': () => ({}),
  'models.list': () => ({}),
  'models.providers': () => ({}),
  'node.list': () => ({}),
  'process.list': () => ({}),
  'process.subscribe': () => ({}),
  'process.unsubscribe': () => ({}),
  'route.explain': () => ({ channel: 'telegram', chatKind: 'direct', senderId: '1' }),
  'route.review': () => ({}),
  'sandbox.explain': () => ({}),
  'sessions.list': () => ({ includeLastMessage: true, includeDerivedTitles: true }),
  'sessions.messages.subscribe': () => ({ key: SESSION }),
  'sessions.messages.unsubscribe': () => ({ key: SESSION }),
  'sessions.preview': () => ({ keys: [SESSION, 'agent:main:nowhere'] }),
  'sessions.resolve': () => ({ key: SESSION }),
  'sessions.search': () => ({ query: 'look' }),
  'sessions.subscribe': () => ({}),
  'sessions.unsubscribe': () => ({}),
  performance: () => ({}),
  status: () => ({}),
  'skills.list': () => ({}),
  'storage.use': () => ({}),
  'system-presence': () => ({}),
  'tools.catalog': () => ({}),
  'tools.effective': () => ({ sessionKey: SESSION }),
  'tools.explain': () => ({ tool: 'read' }),
  'understanding.status': () => ({}),
  'update.status': () => ({}),
  'usage.report': () => ({}),
};
/** They need a file that was sent, a skill, a process that runs, a node, a window: their own tests hold them against their schemas. */
const ELSEWHERE = ['a2ui.snapshot', 'canvas.documents.get', 'chat.file', 'node.describe', 'process.log', 'skills.read'];

describe('answers of the gateway', () => {
  it('have a schema for every method, aliases aside', async () => {
    const { methods, names } = await everyMethod();
    const without = names.filter((name) => !(name in answerSchemas) && !name.startsWith('providers.'));
    assert.deepEqual(without, []);
    const reads = Object.keys(methods).filter(
      (name) => methods[name]!.needs === 'operator.read' && !name.startsWith('providers.'),
    );
    assert.deepEqual([...Object.keys(READS), ...ELSEWHERE].sort(), reads.sort());
  });

  it('fit them, for every method that only looks', async () => {
    await using gateway = await startGateway({ config: { channels: { telegram: { enabled: false } } } });
    await using chat = await gateway.connect();
    await chat.say('Look', { runId: 'looked' });
    const job = await chat.call('cron.add', { schedule: 'in 3 hours', payload: { kind: 'systemEvent', text: 'x' } });
    await chat.call('cron.run', { id: job.id, mode: 'force' });
    await chat.event(({ event, payload }) => event === 'cron' && payload.action === 'finished');
    const known = { run: 'looked', job: job.id };
    // `call` holds each answer against its schema, and events against theirs.
    for (const [method, params] of Object.entries(READS)) await chat.call(method, params(known));
  });

  it('are found out when they say less, more or something else', () => {
    const answer = { path: '/x' };
    const fault = (payload: unknown) => frameFault({ type: 'res', id: '1', ok: true, payload }, 'journal.copy');
    assert.equal(fault(answer), undefined);
    assert.match(fault({})!, /^journal\.copy path: /);
    assert.match(fault({ ...answer, more: 1 })!, /Unrecognized key.* more$/);
    assert.match(frameFault({ type: 'event', event: 'tick', payload: { ts: 'now' } }, undefined)!, /^tick ts: /);
    assert.ok(Object.keys(payloadSchemas).length >= 18);
  });
});
