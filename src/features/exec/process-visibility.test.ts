// Background commands across the wall of a sandbox: seen, typed into, ended by whom.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionKey } from '../../core/session-key.ts';
import type { Elevation } from './elevated.ts';
import type { ShellPlace } from './shell-place.ts';
import type { SandboxSetting } from './sandbox/sandbox-setting.ts';
import { realShell } from '../../testing/real-shell.ts';
import { processVisibility } from './process-visibility.ts';
import { peopleAuthority, surfaceAuthority } from '../../testing/sample-authority.ts';

const MAIN = 'agent:main:main' as SessionKey;
const GROUP = 'agent:main:telegram:group:1' as SessionKey;
const ownedBy = (sessionKey: SessionKey): ShellPlace['owner'] => ({
  agentId: 'main',
  sessionKey,
  replyTo: { channel: 'telegram', accountId: 'default', chat: { kind: 'group', id: '1' } },
  turnId: 't',
  callId: 'c',
  authority: peopleAuthority({ home: { sessionKey } }),
});
const place = (
  scope: SandboxSetting['scope'],
  elevated = false,
): Pick<ShellPlace, 'sandbox' | 'owner' | 'elevation' | 'open'> => ({
  sandbox: { scope } as SandboxSetting,
  owner: ownedBy(GROUP),
  open: [],
  elevation: (): Elevation =>
    elevated ? { allowed: true, level: 'ask' } : { allowed: false, level: 'off', failing: [], message: '' },
});

describe('what a sandboxed conversation knows of background commands', () => {
  it('nothing of this machine: typing into a shell there would be the way out', () => {
    for (const scope of ['session', 'agent', 'shared'] as const)
      for (const from of [MAIN, GROUP])
        assert.equal(processVisibility(place(scope))({ host: 'gateway', owner: ownedBy(from) }), false, scope);
  });

  it('what it ran elevated itself, as long as everybody behind the turn may be elevated', () => {
    assert.equal(processVisibility(place('agent', true))({ host: 'gateway', owner: ownedBy(GROUP) }), true);
    assert.equal(processVisibility(place('agent', true))({ host: 'gateway', owner: ownedBy(MAIN) }), false);
  });

  it('its own box; what others run in the same one is there for the owner', () => {
    const seen = (scope: SandboxSetting['scope'], from: SessionKey, owner = false): boolean => {
      const here = place(scope);
      const who = owner ? { ...here, owner: { ...here.owner, authority: surfaceAuthority() } } : here;
      return processVisibility(who)({ host: 'sandbox', owner: ownedBy(from) });
    };
    assert.deepEqual(
      [seen('session', GROUP), seen('session', MAIN), seen('agent', MAIN), seen('shared', MAIN)],
      [true, false, false, false],
    );
    assert.deepEqual(
      [seen('session', MAIN, true), seen('agent', MAIN, true), seen('shared', MAIN, true)],
      [false, true, true],
    );
  });

  it('without a box its own, and all of its agent for the owner or where the owner opens it', () => {
    const here = { ...place('agent'), sandbox: undefined };
    const seen = (who: typeof here): boolean[] =>
      [GROUP, MAIN].map((from) => processVisibility(who)({ host: 'gateway', owner: ownedBy(from) }));
    assert.deepEqual(seen(here), [true, false]);
    assert.deepEqual(seen({ ...here, owner: { ...here.owner, authority: surfaceAuthority() } }), [true, true]);
    assert.deepEqual(seen({ ...here, open: ['processes'] }), [true, true]);
    assert.deepEqual(
      seen({
        ...here,
        owner: {
          ...here.owner,
          authority: surfaceAuthority({ home: { sessionKey: 'agent:main:cron:1' }, hands: ['heartbeat'] }),
        },
      }),
      [true, false],
      'work that nobody wrote looks after its own',
    );
  });
});

it('what is not seen can be neither listed nor read, typed into or ended', {
  skip: process.platform === 'win32',
}, async () => {
  await using real = await realShell();
  const started = await real
    .shellOf('main')
    .run({ command: 'cat', background: true }, { signal: new AbortController().signal, progress: () => undefined });
  assert.equal(started.kind, 'running');
  const id = started.kind === 'running' ? started.view.sessionId : '';
  const boxed = real.registry.of('main', { sees: processVisibility(place('shared')) });
  const { signal } = new AbortController();
  assert.deepEqual(await boxed.list(), []);
  assert.deepEqual(
    [
      await boxed.write(id, 'x\n'),
      await boxed.kill(id),
      await boxed.clear(id),
      await boxed.remove(id),
      await boxed.poll(id, { waitMs: 0, signal }),
      await boxed.log(id, {}),
    ],
    Array(6).fill('unknown'),
  );
  assert.equal(await real.registry.of('main').write(id, 'x\n'), 2);
});
