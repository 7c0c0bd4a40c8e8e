// The tool environment without exec: the agent's folder, and none where a sandbox is required.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainEnvironment } from './plain-environment.ts';

/** `read`: as the schema left it; `written`: as the file has it. */
const placeOf = (read: object, written: object) =>
  plainEnvironment({
    agents: { resolve: () => ({ workspace: '/work' }) },
    config: { current: () => read, store: { snapshot: () => ({ parsed: written }) } },
    machine: { env: { home: '/home/me' } },
  } as unknown as Parameters<typeof plainEnvironment>[0]).place({ agentId: 'ada', sessionKey: 'agent:ada:main' });

const asking = (mode: string) => ({ agents: { defaults: { sandbox: { mode } } } });
const NOTHING = { agents: { defaults: {}, list: [] } };

describe('the plain environment', () => {
  it('works in the folder of the agent', () => {
    for (const config of [NOTHING, asking('off'), {}])
      assert.deepEqual(placeOf(config, config), {
        agentWorkspace: '/work',
        workspace: '/work',
        shownAs: '/work',
        sandbox: undefined,
      });
  });

  it('works nowhere where a box is asked for, also where nobody knows that setting', () => {
    const own = { agents: { defaults: {}, list: [{ id: 'ada', sandbox: { mode: 'all' } }] } };
    for (const config of [asking('all'), asking('non-main'), own]) {
      assert.throws(() => placeOf(config, config), { code: 'unsupported' });
      assert.throws(() => placeOf(NOTHING, config), { code: 'unsupported' });
    }
  });

  it('goes by what an agent says of itself', () => {
    const own = { agents: { ...asking('all').agents, list: [{ id: 'ada', sandbox: { mode: 'off' } }] } };
    assert.equal(placeOf(own, own).sandbox, undefined);
  });
});
