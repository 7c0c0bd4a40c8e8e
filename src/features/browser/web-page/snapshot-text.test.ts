import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownRefs, snapshotText, TRUNCATED, type AriaNode, type TextOptions } from './snapshot-text.ts';

const PAGE: readonly AriaNode[] = [
  {
    role: 'generic',
    ref: 'e1',
    children: [
      { role: 'heading', name: 'Shop', level: 1, ref: 'e2' },
      { role: 'generic', ref: 'e3', children: [{ role: 'button', name: 'Buy', ref: 'e4' }, 'loose   text'] },
      { role: 'button', name: 'Buy', ref: 'e5', disabled: true },
      { role: 'list', ref: 'e6', children: [{ role: 'listitem', ref: 'e7', children: [{ role: 'img', ref: 'e8' }] }] },
      { role: 'link', name: 'Home "now"', ref: 'e9', cursor: 'pointer', url: '/home' },
      { role: 'iframe', ref: 'e10', children: [{ role: 'button', name: 'Buy', ref: 'f1e1' }] },
    ],
  },
];
const write = (options: TextOptions = {}, page: readonly AriaNode[] = PAGE) =>
  snapshotText(page, shownRefs(page), options);

test('the whole tree, with every ref, states and addresses', () => {
  const { text, truncated, stats } = write({ everyRef: true });
  assert.equal(
    text,
    [
      '- generic [ref=e1]',
      '  - heading "Shop" [level=1] [ref=e2]',
      '  - generic [ref=e3]',
      '    - button "Buy" [ref=e4]',
      '    - text: loose text',
      '  - button "Buy" [disabled] [ref=e5]',
      '  - list [ref=e6]',
      '    - listitem [ref=e7]',
      '      - img [ref=e8]',
      '  - link "Home \\"now\\"" [ref=e9]',
      '    - /url: /home',
      '  - iframe [ref=e10]',
      '    - button "Buy" [ref=f1e1]',
    ].join('\n'),
  );
  assert.equal(truncated, false);
  assert.deepEqual(stats, { lines: 13, chars: text.length, refs: 11, interactive: 4 });
});

test('95: role refs: nth for duplicates alone; depth; a flat list of what can be acted on; none', () => {
  const { text, stats } = write({ interactive: true, numbered: true });
  assert.equal(
    text,
    [
      '- button "Buy" [ref=e4]',
      '- button "Buy" [disabled] [nth=1] [ref=e5]',
      '- link "Home \\"now\\"" [ref=e9]',
      '- button "Buy" [nth=2] [ref=f1e1]',
    ].join('\n'),
  );
  assert.equal(stats.interactive, 4);
  assert.doesNotMatch(write({ depth: 1 }).text, /"Buy" \[ref=e4\]/);
  assert.match(write({ depth: 1 }).text, /\[disabled\] \[ref=e5\]/);
  assert.equal(write({ interactive: true }, [{ role: 'paragraph', text: 'x' }]).text, '(no interactive elements)');
  assert.deepEqual(shownRefs(PAGE).get('f1e1'), { role: 'button', name: 'Buy', nth: 2, count: 3, framed: true });
});

test('compact leaves out structure without a name and branches that say nothing', () => {
  const { text } = write({ compact: true });
  assert.doesNotMatch(text, /generic|list|img/);
  assert.match(text, /^- heading "Shop" \[level=1\] \[ref=e2\]\n- button "Buy" \[ref=e4\]\n- text: loose text/);
});

test('94: no mode passes its limit', () => {
  const many: AriaNode[] = Array.from({ length: 500 }, (_, at) => ({
    role: 'button',
    name: `Item ${at}`,
    ref: `e${at}`,
  }));
  for (const options of [{ everyRef: true }, { interactive: true }, { compact: true, depth: 3 }]) {
    const { text, truncated, stats } = write({ ...options, maxChars: 1000 }, many);
    assert.ok(text.length <= 1000 && truncated, JSON.stringify(options));
    assert.ok(text.endsWith(TRUNCATED));
    assert.ok(stats.refs < 500 && stats.refs > 10);
  }
  assert.equal(write({ maxChars: 0 }, many).truncated, false);
});

test('a page that nests deeper than the stack is read', () => {
  let node: AriaNode = { role: 'button', name: 'deep', ref: 'e1' };
  for (let at = 0; at < 20_000; at++) node = { role: 'generic', children: [node] };
  assert.equal(write({ interactive: true }, [node]).text, '- button "deep" [ref=e1]');
  assert.equal(write({ compact: true }, [node]).text, '- button "deep" [ref=e1]');
});

test('new elements are marked', () => {
  assert.match(write({ everyRef: true, isNew: (ref) => ref === 'e5' }).text, /\[disabled\] \[ref=e5\] \[new\]/);
});
