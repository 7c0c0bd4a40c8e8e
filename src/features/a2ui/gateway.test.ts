/** Canvases of a whole gateway: they survive a restart, all viewers show the same, an action arrives exactly once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startGateway, type Chat } from '../../testing/running-gateway.ts';
import { until } from '../../testing/until.ts';
import { action, begin, components, data, form, jsonl, openPage } from './harness.ts';
import { actionText } from './user-action.ts';

const linkOf = async (chat: Chat, params: object = {}): Promise<string> => (await chat.call('a2ui.link', params)).path;
const push = (chat: Chat, ...messages: readonly object[]) => chat.call('a2ui.push', { jsonl: jsonl(...messages) });

describe('a canvas', () => {
  it('shows a viewer everything, then each change, and the same after a restart', async () => {
    await using gateway = await startGateway();
    let path: string;
    let before: unknown;
    {
      await using chat = await gateway.connect();
      const pushed = await push(chat, ...form());
      assert.deepEqual(
        [pushed.messages, pushed.surfaces, pushed.warnings, pushed.sessionKey],
        [3, ['main'], [], 'agent:main:main'],
      );
      path = await linkOf(chat);
      await using page = await openPage(gateway, path);
      await push(chat, data([{ key: '.', valueString: 'Rome' }], '/city'));
      const change = await page.event(({ kind }) => kind === 'messages');
      assert.deepEqual(change.kind === 'messages' && change.messages[0], {
        kind: 'data',
        version: '0.8',
        surfaceId: 'main',
        path: '/city',
        value: 'Rome',
      });
      await using late = await openPage(gateway, path);
      before = late.events[0];
      assert.match(JSON.stringify(before), /Rome/);
    }
    await gateway.restart();
    await using chat = await gateway.connect();
    assert.equal(await linkOf(chat), path, 'the link stays');
    await using page = await openPage(gateway, path);
    assert.deepEqual(page.events[0], before);
    assert.deepEqual(
      (await chat.call('a2ui.get', {})).surfaces.map(({ id, components: count, shown }: any) => [id, count, shown]),
      [['main', 4, true]],
    );
    assert.deepEqual(
      (await chat.call('a2ui.list', {})).canvases.map(({ sessionKey }: any) => sessionKey),
      ['agent:main:main'],
    );
    assert.deepEqual((await chat.call('a2ui.reset', {})).surfaces, ['main']);
    await page.event((event) => event.kind === 'messages' && event.messages[0]?.kind === 'delete');
    assert.deepEqual((await chat.call('a2ui.get', {})).surfaces, []);
  });

  it('refuses what is wrong whole, and warns of what will not show', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await assert.rejects(push(chat, begin(), { createSurface: {} }), /mixed A2UI versions/);
    await assert.rejects(chat.call('a2ui.push', { jsonl: 'x' }), /line 1: /);
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`c${n}`, { Divider: {} }]));
    await assert.rejects(push(chat, components(many)), /5001 components; 5000 are the limit/);
    const text = 'x'.repeat(200_000);
    const part = (n: number) => components({ [`t${n}`]: { Text: { text: { literalString: text } } } });
    const whole = Array.from({ length: 50 }, (_, n) => part(n));
    await assert.rejects(push(chat, ...whole), /larger than 2 MiB|at most|too/i, '10 MB at once');
    await assert.rejects(
      (async () => {
        for (const one of whole) await push(chat, one);
      })(),
      /Surface "main" would be larger than 1 MiB/,
      '10 MB in parts',
    );
    await chat.call('a2ui.reset', {});
    assert.deepEqual((await chat.call('a2ui.get', {})).surfaces, []);
    const { warnings } = await push(
      chat,
      components({ root: { Card: { child: 'gone' } }, odd: { Chart: {} } }),
      begin(),
    );
    assert.match(warnings.join('\n'), /is a Chart, which the catalogue does not have/);
    assert.match(warnings.join('\n'), /'root' references non-existent component 'gone'/);
  });

  it('is shown, hidden, or replaced by a page, never by a script', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await using page = await openPage(gateway, await linkOf(chat));
    await chat.call('a2ui.show', { url: 'https://example.org/a' });
    const shown = await page.event(({ kind }) => kind === 'view');
    assert.deepEqual(shown.kind === 'view' && shown.view, { visible: true, url: 'https://example.org/a' });
    await chat.call('a2ui.show', { visible: false });
    await page.event((event) => event.kind === 'view' && !event.view.visible);
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '//evil',
      '/config',
      'http://a:b@c/',
    ])
      await assert.rejects(chat.call('a2ui.show', { url }), /use an http or https address/, url);
  });
});

describe('an agent', () => {
  const use = (args: object) => ({ calls: [{ id: 'c1', name: 'canvas', args }] });

  it('shows a surface on the canvas of its own session, and answers a click by changing it', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(use({ action: 'a2ui_push', jsonl: jsonl(...form()) }), { text: ['Here it is.'] });
    assert.equal(await chat.say('show me a form', { session: 'agent:main:weather' }), 'Here it is.');
    assert.deepEqual((await chat.call('a2ui.get', {})).surfaces, []);
    const sessionKey = 'agent:main:weather';
    assert.equal((await chat.call('a2ui.get', { sessionKey })).surfaces.length, 1);
    await using page = await openPage(gateway, await linkOf(chat, { sessionKey }));
    const rain = jsonl(data([{ key: '.', valueString: 'Rain' }], '/weather'));
    gateway.models.reply(use({ action: 'a2ui_push', jsonl: rain }), { text: ['Done.'] });
    await page.send(action('click-0020'));
    await page.event((event) => event.kind === 'messages' && JSON.stringify(event).includes('Rain'));
    await page.event((event) => event.kind === 'action' && event.state === 'answered');
  });

  it('hears every fault of a push, and that nobody can be shown a picture', async () => {
    await using gateway = await startGateway({ config: { browser: { enabled: false } } });
    await using chat = await gateway.connect();
    const answerTo = async (args: object) => {
      gateway.models.reply(use(args), { text: ['ok'] });
      await chat.say('try');
      return gateway.models.requests.at(-1)!.toolResults.at(-1)!.text;
    };
    assert.match(await answerTo({ action: 'a2ui_push', jsonl: '{"a":1}' }), /line 1: expected exactly one action key/);
    assert.match(await answerTo({ action: 'snapshot' }), /would show the canvas, is switched off \(browser\.enabled\)/);
    assert.match(await answerTo({ action: 'present' }), /Nobody has this canvas open/);
  });
});

describe('an action on a surface', () => {
  it('becomes one message to the agent, in the form of the protocol, however often it arrives', async () => {
    await using gateway = await startGateway();
    let path: string;
    {
      await using chat = await gateway.connect();
      await push(chat, ...form());
      path = await linkOf(chat);
      await using page = await openPage(gateway, path);
      gateway.models.reply({ text: ['It rains.'] });
      const answers = await Promise.all([page.send(action('click-0001')), page.send(action('click-0001'))]);
      const bodies = (await Promise.all(answers.map((one) => one.json()))) as {
        ok: boolean;
        runId: string;
        state: string;
      }[];
      assert.deepEqual(
        bodies.map(({ ok, state }) => [ok, state]),
        [
          [true, 'accepted'],
          [true, 'accepted'],
        ],
      );
      assert.equal(bodies[0]!.runId, bodies[1]!.runId);
      await page.event((event) => event.kind === 'action' && event.id === 'click-0001' && event.state === 'answered');
    }
    const said =
      'CANVAS_A2UI action=Get_Weather session=agent:main:main surface=main component=go host=gateway instance=viewer ' +
      'ctx={"city":"Paris"} default=update_canvas';
    const asked = () => gateway.models.requests.filter(({ texts }) => texts.at(-1)?.includes('CANVAS_A2UI'));
    assert.equal(asked().length, 1);
    assert.ok(asked()[0]!.texts.at(-1)!.includes(said), asked()[0]!.texts.at(-1));

    await gateway.restart();
    await using page = await openPage(gateway, path);
    const again = (await (await page.send(action('click-0001'))).json()) as { state: string };
    assert.equal(again.state, 'answered');
    assert.equal(asked().length, 1);
  });

  it('is finished after a restart in the middle of its turn, once', async () => {
    await using gateway = await startGateway();
    let path: string;
    {
      await using chat = await gateway.connect();
      await push(chat, ...form());
      path = await linkOf(chat);
      await using page = await openPage(gateway, path);
      gateway.models.reply({ hang: true, text: ['It ra'] });
      await page.send(action('click-0002'));
      await until(() => gateway.models.requests.length === 1, 'the model call');
    }
    await gateway.restart({ while: () => gateway.models.reply({ text: ['It rains.'] }) });
    await using chat = await gateway.connect();
    await using page = await openPage(gateway, path);
    const state = async () => ((await (await page.send(action('click-0002'))).json()) as { state: string }).state;
    await until(async () => (await state()) === 'answered', 'the end of the action');
    const history = await chat.history();
    assert.equal(history.filter(({ text }) => text.includes('CANVAS_A2UI')).length, 1);
  });

  it('comes only from a page that may speak for the surface, and only if the surface offers it', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await push(chat, ...form(), ...form('other'));
    const path = await linkOf(chat, { surfaceId: 'main' });
    await using page = await openPage(gateway, path);
    assert.doesNotMatch(JSON.stringify(page.events), /"other"/);
    const status = async (body: object) => (await page.send(body)).status;
    assert.equal(await status(action('click-0003', { surfaceId: 'other' })), 403);
    assert.equal(await status(action('click-0004', { name: 'Delete everything' })), 404);
    assert.equal(await status(action('click-0005', { sourceComponentId: 'city' })), 404);
    assert.equal(await status(action('click-0006', { sourceComponentId: '__proto__' })), 404);
    assert.equal(await status(action('x')), 400);
    assert.equal(await status(action('click-0007', { timestamp: 'now' })), 400);
    assert.equal(await status({ userAction: 1 }), 400);
    assert.equal(await status([]), 400);
    assert.equal(await status(action('click-0008', { context: { a: 'x'.repeat(20_000) } })), 413);
    assert.equal(await status(action('click-0009', { context: { a: 'x'.repeat(80_000) } })), 413);
    assert.equal(gateway.models.requests.length, 0);
    const renewed = await linkOf(chat, { surfaceId: 'main', renew: true });
    assert.notEqual(renewed, path);
    assert.equal(await status(action('click-0010')), 404, 'the old link is over');
  });

  it('is refused when a page sends too many', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    const path = await linkOf(chat);
    const sent = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        gateway.fetch(`${path}action`, { method: 'POST', body: JSON.stringify(action(`click-${1000 + n}`)) }),
      ),
    );
    assert.equal(sent.filter(({ status }) => status === 429).length, 5);
  });

  it('names everything in tags (15.5, 130)', () => {
    const given = { name: 'Get Weather', surfaceId: '', sourceComponentId: ' a/b ', context: {} };
    assert.equal(
      actionText(given, { session: 'agent:main:main', host: "Peter's iPad", instance: 'é' }),
      'CANVAS_A2UI action=Get_Weather session=agent:main:main surface=- component=a_b host=Peter_s_iPad instance=_ ' +
        'default=update_canvas',
    );
  });
});

describe('the paths of canvases', () => {
  it('open nothing without a token, under every alias, and only as they should', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    const token = (await linkOf(chat)).split('/').at(-2)!;
    const status = async (path: string, init: RequestInit = {}) =>
      (await gateway.fetch(path, { redirect: 'manual', headers: { authorization: '' }, ...init })).status;
    for (const product of ['clawdbot', 'moltbot', 'openclaw']) {
      assert.equal(await status(`/__${product}__/a2ui/`), 200);
      assert.equal(await status(`/__${product}__/a2ui`), 200);
      assert.equal(await status(`/__${product}__/a2ui/${token}`), 302);
      assert.equal(await status(`/__${product}__/a2ui/${token}/`), 200);
      assert.equal(await status(`/__${product}__/a2ui/${token.replace(/./g, '0')}/`), 404);
    }
    const at = (part: string) => `/__clawdbot__/a2ui/${token}/${part}`;
    assert.equal(await status(at(''), { method: 'POST' }), 405);
    assert.equal(await status(at('action')), 405);
    assert.equal(await status(at('events'), { method: 'HEAD' }), 200);
    const fault = { error: { surfaceId: 'main', componentId: 'x', message: 'unknown component' } };
    const report = () => gateway.fetch(at('action'), { method: 'POST', body: JSON.stringify(fault) });
    const reported = await Promise.all(Array.from({ length: 25 }, report));
    assert.equal(reported.filter((one) => one.status === 200).length, 20);
    assert.notEqual(await status(at('action'), { method: 'POST', body: JSON.stringify(action('click-0030')) }), 429);
    assert.equal(await status(at('%2e%2e/x')), 404);
    assert.equal(await status(`/__clawdbot__/a2ui/constructor/`), 404);
    const page = await gateway.fetch(at(''));
    const policy = page.headers.get('content-security-policy')!;
    assert.match(policy, /sandbox allow-scripts allow-forms$/);
    assert.match(policy, /script-src 'self';/);
    assert.doesNotMatch(policy, /allow-same-origin|unsafe-eval|script-src[^;]*unsafe-inline/);
  });
});
