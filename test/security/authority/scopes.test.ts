// A client may do by slash commands exactly what it may do by methods: every command, through every entry point, for
// three kinds of clients.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connectGateway, type GatewayConnection } from '../../../src/gateway/client.ts';
import { createDeviceIdentity } from '../../../src/gateway/devices/identity.ts';
import { COMMANDS } from '../../../src/pipeline/commands/table.ts';
import { startGateway, type RunningGateway } from '../../../src/testing/running-gateway.ts';
import { until } from '../../../src/testing/until.ts';

const TOKEN = 'test-token-of-sufficient-length';
/** As somebody would type them, where the name alone does nothing; one each. */
const TYPED: Readonly<Record<string, string>> = {
  config: '/config set messages.ackReaction=🦞',
  debug: '/debug set messages.ackReaction=🦞',
  allowlist: '/allowlist add telegram:666',
  exec: '/exec ask=always',
  elevated: '/elevated full',
  activation: '/activation always',
  send: '/send off',
  think: '/think high',
  verbose: '/verbose on',
  reasoning: '/reasoning on',
  model: '/model fake/model',
  queue: '/queue followup',
  usage: '/usage full',
};
const NEEDS_ADMIN = new Set(
  COMMANDS.filter(({ does: [verb] }) => ['change', 'reset', 'restart'].includes(verb)).map(({ name }) => name),
);

describe('slash commands within the scopes of a client', () => {
  let gateway: RunningGateway;
  const clients: Record<string, GatewayConnection> = {};
  let nth = 0;
  let [asked, right] = [0, 0];

  before(async () => {
    gateway = await startGateway({
      config: {
        commands: { config: true, debug: true, restart: false },
        gateway: { http: { endpoints: { chatCompletions: { enabled: true } } } },
      },
    });
    const open = (scopes: readonly string[]): Promise<GatewayConnection> =>
      connectGateway({
        url: `ws://127.0.0.1:${gateway.instance.port}`,
        identity: createDeviceIdentity(),
        client: { id: 'cli', mode: 'cli' },
        token: TOKEN,
        scopes: [...scopes],
      });
    clients['reads and writes'] = await open(['operator.read', 'operator.write']);
    clients['may approve too'] = await open(['operator.read', 'operator.write', 'operator.approvals']);
    clients['admin'] = await open(['operator.admin']);
  });
  after(async () => {
    for (const client of Object.values(clients)) await client.close();
    await gateway[Symbol.asyncDispose]();
  });

  /** What it is answered; each in a conversation of its own. */
  async function answered(client: GatewayConnection, text: string): Promise<string> {
    const sessionKey = `agent:main:web:s${++nth}`;
    const reported = Promise.withResolvers<string>();
    const stop = client.subscribe(({ event, payload }) => {
      const {
        sessionKey: key,
        state,
        message,
      } = payload as { sessionKey?: string; state?: string; message?: { content: { text?: string }[] } };
      if (event === 'chat' && key === sessionKey && state !== 'delta')
        reported.resolve(message?.content.map((block) => block.text ?? '').join('') ?? '');
    });
    try {
      const taken = await client.call<{ status?: string }>('chat.send', {
        sessionKey,
        message: text,
        idempotencyKey: `k${nth}`,
      });
      return taken.status === 'started' ? await reported.promise : JSON.stringify(taken);
    } finally {
      stop();
    }
  }

  it('who may only write has nothing changed; an admin has', async (t) => {
    for (const { name } of COMMANDS.filter((command) => command.name !== 'restart')) {
      for (const [who, client] of Object.entries(clients)) {
        const reply = await answered(client, TYPED[name] ?? `/${name}`);
        const refused = /This client may not use/.test(reply);
        asked += 1;
        assert.equal(refused, NEEDS_ADMIN.has(name) && who !== 'admin', `${who}, /${name}: ${reply}`);
        right += 1;
      }
    }
    const restart = await answered(clients['reads and writes']!, '/restart');
    assert.match(restart, /This client may not use/);
    t.diagnostic(`scopes of slash commands: ${right}/${asked}`);
  });

  it('nor do clients that only write change anything', async () => {
    const file = join(gateway.stateDir, 'clawdbot.json');
    const before = await readFile(file, 'utf8');
    for (const name of NEEDS_ADMIN) {
      if (name === 'restart') continue;
      for (const who of ['reads and writes', 'may approve too'])
        assert.match(await answered(clients[who]!, TYPED[name] ?? `/${name}`), /This client may not use/);
    }
    assert.equal(await readFile(file, 'utf8'), before);
  });

  it('a command that waits is answered by who may approve, and by nobody else', async () => {
    gateway.models.reply({ calls: [{ id: 'b', name: 'bash', args: { command: 'touch x' } }] }, { text: ['touched'] });
    const { runId } = await clients['admin']!.call<{ runId: string }>('chat.send', {
      sessionKey: 'agent:main:web:waiting',
      message: 'touch it',
      idempotencyKey: 'waiting',
    });
    const slug = await until(
      async () =>
        (
          await clients['may approve too']!.call<{ id: string; slug?: string }[]>('exec.approval.list', {})
        )[0]?.id.slice(0, 8),
      'the command to wait',
    );
    assert.doesNotMatch(await answered(clients['reads and writes']!, `/approve ${slug} allow-once`), /Allowed/);
    assert.equal((await clients['admin']!.call<unknown[]>('exec.approval.list', {})).length, 1, 'it waits still');
    assert.match(await answered(clients['may approve too']!, `/approve ${slug} deny`), /Denied/);
    assert.equal((await clients['admin']!.call<{ status: string }>('agent.wait', { runId })).status, 'ok');
  });

  it('an app that speaks for its users has none of it over HTTP either, unless it says so and may', async () => {
    const ask = async (token: string, content: string, headers: Record<string, string> = {}): Promise<string> => {
      const response = await gateway.fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'clawdbot', messages: [{ role: 'user', content }] }),
      });
      return response.text();
    };
    const deviceToken = (clients['reads and writes']!.hello.auth as { deviceToken: string }).deviceToken;
    const on = { 'x-clawdbot-commands': 'on' };
    assert.match(await ask(deviceToken, '/elevated full', on), /This client may not use|missing scope/);
    assert.match(await ask(TOKEN, '/elevated full'), /"content":"ok"/, 'words for the agent');
    assert.match(await ask(TOKEN, '/status', on), /Model/);
  });
});
