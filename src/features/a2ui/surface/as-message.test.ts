/** A surface as a chat message: its text, the actions that one button can do, and those that need the page. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isStandard } from '../check/catalog-0-8.ts';
import { readJsonl } from '../check/read-jsonl.ts';
import { begin, components, data, form, jsonl } from '../harness.ts';
import { asMessage } from './as-message.ts';
import { applyMessages, NO_SURFACES, surfaceOf } from './surface.ts';

async function shown(...messages: readonly object[]) {
  const read = await readJsonl(jsonl(...messages));
  assert.ok(!read.faults, JSON.stringify(read.faults));
  return asMessage(surfaceOf(applyMessages(NO_SURFACES, read.messages), 'main')!, isStandard);
}
const text = (value: string, more: object = {}) => ({ Text: { text: { literalString: value }, ...more } });
const button = (child: string, name: string, context: readonly object[] = []) => ({
  Button: { child, action: { name, context } },
});
const column = (...ids: readonly string[]) => ({ Column: { children: { explicitList: ids } } });

it('says its words in order, and offers its buttons with the values shown', async () => {
  const message = await shown(
    components({
      root: column('title', 'list', 'save'),
      title: text('Tasks', { usageHint: 'h1' }),
      list: { List: { children: { template: { componentId: 'row', dataBinding: '/tasks' } } } },
      row: { Row: { children: { explicitList: ['name', 'done'] } } },
      name: { Text: { text: { path: 'name' } } },
      done: button('done-text', 'done', [{ key: 'id', value: { path: 'id' } }]),
      'done-text': { Text: { text: { path: 'label' } } },
      save: button('save-text', 'save'),
      'save-text': text('Save'),
    }),
    data([
      {
        key: 'tasks',
        valueString: '[{"id":1,"name":"Milk","label":"Milk done"},{"id":2,"name":"Post","label":"Post done"}]',
      },
    ]),
    begin(),
  );
  assert.equal(message?.text, '**Tasks**\n- Milk\n- Post');
  assert.deepEqual(
    message?.choices.map(({ label, action, componentId }) => [label, action, componentId]),
    [
      ['Milk done', { name: 'done', context: { id: 1 } }, 'done'],
      ['Post done', { name: 'done', context: { id: 2 } }, 'done'],
      ['Save', { name: 'save', context: {} }, 'save'],
    ],
  );
  assert.equal(message?.whole, true);
});

it('one choice with one button is a menu, whose options are chosen with the press', async () => {
  const options = ['small', 'large'].map((value) => ({ label: { literalString: value.toUpperCase() }, value }));
  const surface = (max: number) =>
    shown(
      components({
        root: column('size', 'go'),
        size: { MultipleChoice: { selections: { path: '/size' }, options, maxAllowedSelections: max } },
        go: button('go-text', 'order', [{ key: 'size', value: { path: '/size' } }]),
        'go-text': text('Order'),
      }),
      begin(),
    );
  assert.deepEqual(
    (await surface(1))?.choices.map(({ label, menu, action }) => [label, menu, action.context]),
    [
      ['SMALL', 'Order', { size: ['small'] }],
      ['LARGE', 'Order', { size: ['large'] }],
    ],
  );
  const many = await surface(2);
  assert.deepEqual([many?.choices, many?.whole], [[], false], 'several options take more than a press');
});

it('offers nothing that needs to be typed, says no secret, and shows nothing before beginRendering', async () => {
  const typed = await shown(...form());
  assert.deepEqual([typed?.text, typed?.choices, typed?.whole], ['City: Berlin', [], false]);
  const secret = { TextField: { label: { literalString: 'Code' }, text: { path: '/c' }, textFieldType: 'obscured' } };
  const hidden = await shown(components({ root: secret }), data([{ key: 'c', valueString: 'hunter2' }]), begin());
  assert.equal(hidden?.text, 'Code:');
  assert.equal(await shown(components({ root: text('x') })), undefined);
});

it('is short whatever the surface holds, and says that it is not whole', async () => {
  const ids = Array.from({ length: 200 }, (_, n) => `b${n}`);
  const many = await shown(
    components({
      root: column('long', 'circle', ...ids),
      long: text('word '.repeat(2000)),
      circle: { Card: { child: 'root' } },
      label: text('L'.repeat(500)),
      ...Object.fromEntries(ids.map((id) => [id, button('label', id)])),
    }),
    begin(),
  );
  assert.ok(many && many.text.length <= 1500 && many.choices.length === 20 && !many.whole);
  assert.ok(many.choices.every(({ label }) => label.length <= 70));
});
