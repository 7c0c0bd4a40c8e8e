import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksSchema } from '../../../config/understanding-config.ts';
import { linkSettings, mergeLinks } from './settings.ts';

const links = (written: unknown) => linksSchema.parse(written);
const say = { command: 'say' };

test("T47 an agent that names commands has its own list; the rest is the root's", () => {
  const merged = mergeLinks(
    links({ maxLinks: 5, scope: { default: 'deny' }, models: [{ command: 'root' }] }),
    links({ models: [say] }),
  );
  assert.deepEqual(
    merged!.models!.map(({ command }) => command),
    ['say'],
  );
  assert.deepEqual([merged!.maxLinks, merged!.scope!.default], [5, 'deny']);
});

test('T48 an agent can turn links off, and have them alone', () => {
  assert.equal(linkSettings(mergeLinks(links({ models: [say] }), links({ enabled: false }))), undefined);
  assert.ok(linkSettings(mergeLinks(undefined, links({ models: [say] }))));
  assert.equal(mergeLinks(undefined, undefined), undefined);
  assert.deepEqual(mergeLinks(links({ maxLinks: 1 }), undefined), links({ maxLinks: 1 }));
});

test('a scope and a list are replaced as a whole', () => {
  const merged = mergeLinks(links({ scope: { default: 'deny', rules: [{ action: 'allow' }] } }), links({ scope: {} }));
  assert.deepEqual(merged!.scope, { default: 'allow', rules: [] });
});

test('T42 links are off without a block, without a command, and when told so', () => {
  for (const written of [
    undefined,
    links({}),
    links({ enabled: true }),
    links({ models: [] }),
    links({ enabled: false, models: [say] }),
  ])
    assert.equal(linkSettings(written), undefined);
});

test("the documented defaults; a command's own timeout wins", () => {
  const settings = linkSettings(links({ models: [say, { command: 'slow', timeoutSeconds: 90 }] }))!;
  const { entries, timeoutMs, ...rest } = settings;
  assert.deepEqual(rest, {
    maxLinks: 3,
    concurrency: 1,
    maxChars: 20_000,
    wrap: false,
    egressProxy: true,
    scope: undefined,
    budgetMs: 60_000,
    cacheMs: 0,
  });
  assert.deepEqual(entries.map(timeoutMs), [30_000, 90_000]);
});

test('T52 placeholders that mean nothing are refused with a suggestion', () => {
  assert.throws(() => links({ models: [{ command: 'x', args: ['{{LinkURL}}'] }] }), /did you mean \{\{LinkUrl\}\}/);
});
