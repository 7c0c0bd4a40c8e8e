// Commands for another machine: the settings of this one decide, and nothing is taken for harmless.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createApprovalsFile } from './approvals/approvals-file.ts';
import { createPending } from './approvals/pending.ts';
import { execSlices } from './config.ts';
import { permitElsewhere } from './remote-command.ts';
import { execSettings } from './exec-settings.ts';

const USUAL = execSlices.find(({ path }) => path === 'tools.exec')!.schema.parse(undefined) as Parameters<
  typeof execSettings
>[0];

async function decide(
  settings: object,
  answer: 'allow-once' | 'deny' | 'nobody' | 'stop' = 'allow-once',
  file?: unknown,
  env: Readonly<Record<string, string>> = {},
  stricter: object = {},
) {
  await using dir = await tempDir('elsewhere');
  const clock = createFakeClock();
  const pending = createPending({ clock, log: silentLog });
  const approvals = createApprovalsFile({
    path: join(dir.path, 'exec-approvals.json'),
    home: dir.path,
    log: silentLog,
  });
  if (file) await approvals.replace(file as never, undefined);
  const announced: string[] = [];
  const stop = new AbortController();
  const authority = peopleAuthority();
  const { address: replyTo } = authority.home;
  const permit = permitElsewhere(
    {
      owner: { agentId: 'main', sessionKey: 'agent:main:main' as never, replyTo, turnId: 't', callId: 'c', authority },
      settings: execSettings({ ...USUAL, ...settings }, undefined, undefined),
      command: { argv: ['uname', '-a'], command: 'uname -a', cwd: '/srv', env, where: 'the node Desk', stricter },
      watch: { signal: stop.signal, progress: () => undefined },
    },
    {
      file: approvals,
      pending,
      clock,
      announce(request) {
        announced.push(request.command);
        assert.deepEqual(
          [request.host, request.cwd, request.rememberable, request.steps],
          ['node', '/srv', false, [{ words: ['uname', '-a'] }]],
        );
        assert.match(request.reasons[0]!, /It would run on the node Desk, whose programs and files cannot be checked/);
        setImmediate(() => {
          if (answer === 'stop') stop.abort();
          else if (answer === 'nobody') void clock.advance(24 * 3_600_000);
          else pending.resolve(request.id, answer, 'ada');
        });
      },
    },
  );
  const outcome = await permit;
  return { outcome, asked: announced.length, code: outcome.kind === 'refused' ? outcome.code : undefined };
}

describe('a command for another machine', () => {
  it('is asked with the default settings, though the same would be harmless here', async () => {
    const { outcome, asked } = await decide({});
    assert.deepEqual([outcome, asked], [{ kind: 'allowed', approved: true }, 1]);
    assert.equal((await decide({}, 'deny')).code, 'user-denied');
    assert.equal((await decide({}, 'nobody')).code, 'approval-timeout');
    assert.equal((await decide({}, 'stop')).code, 'aborted');
  });

  it('is not asked where everything is open, asked there too where the settings say always, and denied', async () => {
    const open = await decide({ security: 'full', ask: 'off' });
    assert.deepEqual([open.outcome, open.asked], [{ kind: 'allowed', approved: false }, 0]);
    assert.equal((await decide({ security: 'full', ask: 'always' })).asked, 1);
    const denied = await decide({ security: 'deny' });
    assert.deepEqual([denied.code, denied.asked], ['denied', 0]);
    const quiet = await decide({ security: 'allowlist', ask: 'off' });
    assert.deepEqual([quiet.code, quiet.asked], ['denied', 0]);
  });

  it('the approvals file makes it stricter, and an allowlist of this machine opens nothing there', async () => {
    const file = { version: 1, defaults: { security: 'deny' } };
    assert.equal((await decide({ security: 'full', ask: 'off' }, 'allow-once', file)).code, 'denied');
    const listed = { version: 1, agents: { main: { allowlist: [{ pattern: '/usr/bin/uname' }] } } };
    assert.equal((await decide({}, 'allow-once', listed)).asked, 1);
  });

  it('the call makes it stricter, never more open', async () => {
    const open = { security: 'full', ask: 'off' };
    const call = (settings: object, stricter: object) => decide(settings, 'allow-once', undefined, {}, stricter);
    assert.equal((await call(open, { ask: 'always' })).asked, 1);
    assert.equal((await call(open, { security: 'deny' })).code, 'denied');
    assert.equal((await call({}, { security: 'full', ask: 'off' })).asked, 1);
    assert.equal((await call(open, { security: 'moon', ask: '' })).asked, 0);
  });

  it('may not set variables that change what programs do', async () => {
    const { code, asked } = await decide({}, 'allow-once', undefined, { LD_PRELOAD: '/x.so' });
    assert.deepEqual([code, asked], ['invalid', 0]);
  });
});
