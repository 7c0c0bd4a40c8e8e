// Retention of canvases: old surfaces are deleted, and so are links and views of canvases that are empty for long.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sqliteFixture } from '../../testing/journal-harness.ts';
import { CANVAS_TABLES } from './canvas-tables.ts';
import { EMPTY_VIEW } from './surface/canvas-feed.ts';
import { readJsonl, textMessages } from './check/read-jsonl.ts';
import { applyMessages, NO_SURFACES } from './surface/surface.ts';

const DAY = 24 * 3_600_000;
const KEEP = 14 * DAY;
const EMPTY = { surfaces: NO_SURFACES, view: EMPTY_VIEW };

it('links and views last as long as there is something to see, and ninety days after', async () => {
  await using fixture = await sqliteFixture([CANVAS_TABLES])();
  const rows = fixture.journal.tables(CANVAS_TABLES);
  const read = await readJsonl(textMessages('hi'));
  const full = { ...EMPTY, surfaces: applyMessages(NO_SURFACES, read.faults ? [] : read.messages) };
  const paged = { ...EMPTY, view: { visible: true, url: 'https://a.b/' } };
  await rows.save('full', () => ({ before: EMPTY, after: full }));
  await rows.save('paged', () => ({ before: EMPTY, after: paged }));
  for (const sessionKey of ['full', 'paged', 'empty'])
    await rows.link({ token: `of-${sessionKey}`, sessionKey }, false);
  const links = () => ['full', 'paged', 'empty'].filter((key) => rows.findLink(`of-${key}`) !== undefined);

  fixture.time.now += 89 * DAY;
  await fixture.journal.prune(KEEP);
  assert.deepEqual(links(), ['full', 'paged', 'empty']);
  assert.deepEqual(rows.read('paged').view, paged.view);
  const changed = { ...full, view: { visible: false } };
  await rows.save('full', () => ({
    before: full,
    after: { ...changed, surfaces: { main: { ...full.surfaces['main']! } } },
  }));

  fixture.time.now += 2 * DAY;
  while ((await fixture.journal.prune(KEEP)) > 0);
  assert.deepEqual(links(), ['full'], 'the canvas that was in use keeps its link, however old that is');
  assert.deepEqual([rows.read('paged').view, rows.read('full').view], [EMPTY_VIEW, { visible: false }]);

  fixture.time.now += 91 * DAY;
  while ((await fixture.journal.prune(KEEP)) > 0);
  assert.deepEqual([links(), rows.read('full'), rows.list(10)], [[], EMPTY, []]);
});
