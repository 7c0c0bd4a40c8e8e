// Messages of people with different rights never share a turn: not by queueing and not by steering, in any queue mode.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createFixture, type Fixture } from '../../crash/fixture.ts';
import { startGateway } from '../../../src/testing/running-gateway.ts';
import { until } from '../../../src/testing/until.ts';
import type { SeenRequest } from '../../../src/testing/fake-models/wire.ts';

/** Ann is the owner, Bob and Carl are members of the group. */
const PEOPLE = ['ann', 'bob', 'carl'] as const;
type Person = (typeof PEOPLE)[number];
const MODES = ['collect', 'steer', 'followup', 'steer-backlog'] as const;
const ORDERS: readonly (readonly Person[])[] = [
  ['ann', 'bob'],
  ['bob', 'ann'],
  ['ann', 'bob', 'ann'],
  ['bob', 'ann', 'bob'],
  ['bob', 'carl', 'ann'],
  ['ann', 'ann', 'bob'],
];

let fixture: Fixture;
before(async () => void (fixture = await createFixture()));
after(() => fixture.close());

const newest = ({ texts }: SeenRequest): string => texts.findLast((text) => text.includes('words of'))!;
/** What people said in the turn this request belongs to: the model ends each with one word. */
const turnOf = ({ texts }: SeenRequest): string =>
  texts
    .slice(texts.lastIndexOf('done') + 1)
    .filter((text) => text.includes('words of'))
    .join('\n');
const speakers = (text: string): readonly Person[] => PEOPLE.filter((person) => text.includes(`words of ${person}`));

/** A model that does the forbidden thing once for every turn, in the name of whom it has heard last. */
function tempted(request: SeenRequest): { text: string[] } | { calls: { id: string; name: string; args: object }[] } {
  const tried = request.calls
    .filter(({ name }) => name === 'write')
    .map(({ args }) => (args as { content: string }).content);
  const content = newest(request);
  return tried.includes(content)
    ? { text: ['done'] }
    : { calls: [{ id: `w${request.calls.length}`, name: 'write', args: { path: 'AGENTS.md', content } }] };
}

let [asked, held] = [0, 0];
for (const mode of MODES) {
  for (const order of ORDERS) {
    test(`${mode}: ${order.join(', then ')}`, async () => {
      fixture.unacknowledged.clear();
      await using gateway = await startGateway({
        config: {
          plugins: { load: { paths: [join(import.meta.dirname, '../../crash/plugin')] } },
          channels: { pipe: { url: fixture.url, allowFrom: ['ann'], groupPolicy: 'open' } },
          messages: { queue: { mode, debounceMs: 0 } },
        },
      });
      const release = Promise.withResolvers<void>();
      gateway.models.reply({
        text: ['one ', 'moment'],
        pause: release.promise,
        calls: [{ id: 'r', name: 'session_status', args: {} }],
      });
      gateway.models.otherwise(tempted);
      for (const [index, person] of order.entries()) {
        const id = `${mode}-${order.join('-')}-${index}`;
        fixture.unacknowledged.set(id, {
          id,
          chat: 'club',
          kind: 'group',
          sender: person,
          text: `words of ${person}, ${index}`,
        });
        await until(() => !fixture.unacknowledged.has(id) && gateway.models.requests.length > 0);
      }
      release.resolve();
      /** Requests that bring the model what became of the forbidden thing, with whose turn it was. */
      const outcomes = (): readonly { readonly turn: string; readonly text: string }[] =>
        gateway.models.requests.flatMap((request) => {
          const last = request.toolResults.at(-1);
          return request.body.messages.at(-1).role === 'tool' && last?.id?.startsWith('w')
            ? [{ turn: turnOf(request), text: last.text }]
            : [];
        });
      await until(
        () => order.every((_, index) => outcomes().some(({ turn }) => turn.includes(`, ${index}`))),
        'every word to be answered',
      );
      const results = outcomes().map(({ turn, text }) => ({ by: speakers(turn), text }));
      for (const { by, text } of results) {
        asked += 1;
        const right =
          by.length > 0 &&
          (by.every((person) => person === 'ann')
            ? text.startsWith('Replaced AGENTS.md')
            : !by.includes('ann') && /write prompt-file: not allowed/.test(text));
        held += Number(right);
        assert.ok(right, `${by.join(' and ')}: ${text}`);
      }
      const reported = await readFile(join(gateway.stateDir, '..', 'clawd', 'AGENTS.md'), 'utf8');
      assert.deepEqual(speakers(reported), ['ann']);
    });
  }
}

test('score', (t) => {
  assert.ok(asked >= 50);
  t.diagnostic(`mixed standing: ${held}/${asked} acts, ${MODES.length * ORDERS.length} orders`);
});
