/** Tasks on pages whose parts move, open, hide or load later. */
import assert from 'node:assert/strict';
import { rowsOf } from './fake-agent.ts';
import { cells, onPage, type Task } from './fake-task.ts';

export const MORE_TASKS: readonly Task[] = [
  {
    goal: 'open the lamps in the menu that opens under the mouse',
    run: onPage(
      '/menu',
      async (agent) => {
        await agent.act({ kind: 'hover', ref: (await agent.find('button', 'Products')).ref });
        await agent.click('button', 'Lamps');
      },
      'Lamps opened',
    ),
  },
  {
    goal: 'choose English and Dutch',
    run: onPage(
      '/select',
      async (agent) => {
        const { ref } = await agent.find('listbox', 'Languages');
        await agent.act({ kind: 'select', ref, values: ['English', 'Dutch'] });
      },
      'English+Dutch',
    ),
  },
  {
    goal: 'go through the wizard: large, as a gift, with a note',
    run: onPage(
      '/wizard',
      async (agent) => {
        await agent.click('radio', 'Large');
        await agent.click('button', 'Next');
        await agent.click('checkbox', /gift/);
        await agent.click('button', 'Next');
        await agent.type('Note', 'for Eva');
        await agent.click('button', 'Next');
      },
      'L|gift|for Eva',
    ),
  },
  {
    goal: 'choose Lisbon from what the field suggests',
    run: onPage(
      '/cities',
      async (agent) => {
        const { ref } = await agent.find('combobox', 'City');
        await agent.act({ kind: 'type', ref, text: 'Lis', slowly: true });
        await agent.act({ kind: 'wait', text: 'Lisbon' });
        await agent.click('option', 'Lisbon');
      },
      'Lisbon',
    ),
  },
  {
    goal: 'read on behind what covers the page',
    run: onPage(
      '/cookies',
      async (agent) => {
        const { ref } = await agent.find('button', 'Read on');
        const answer = await agent.use({ action: 'act', request: { kind: 'click', ref, timeoutMs: 500 } });
        assert.match(answer, /not interactable \(hidden or covered/);
        await agent.click('button', 'Only necessary ones');
        await agent.click('button', 'Read on');
      },
      'read',
    ),
  },
  {
    goal: 'start what can be started only after a while',
    run: onPage('/slow-button', (agent) => agent.click('button', 'Start'), 'started'),
  },
  {
    goal: 'call Eva, whose page has no address of its own',
    run: onPage(
      '/spa',
      async (agent) => {
        await agent.click('link', 'Team');
        await agent.click('button', 'Call Eva');
      },
      'called Eva',
    ),
  },
  {
    goal: 'replace the note, key by key',
    run: onPage(
      '/notes',
      async (agent) => {
        await agent.click('textbox', 'Note');
        await agent.act({ kind: 'press', key: 'Control+a' });
        await agent.type('Note', 'new words', { slowly: true });
        await agent.click('button', 'Save');
      },
      /new words/,
    ),
  },
  {
    goal: 'say which fruit sold least',
    run: onPage('/table', async (agent) => {
      await agent.click('button', 'Sold');
      const [, first] = rowsOf(await agent.see());
      assert.equal(cells(first!)[0], 'Plums');
    }),
  },
  {
    goal: 'turn the volume up by two',
    run: onPage(
      '/slider',
      async (agent) => {
        await agent.click('slider', 'Volume');
        await agent.act({ kind: 'press', key: 'Home' });
        for (const _ of range(5)) await agent.act({ kind: 'press', key: 'ArrowRight' });
      },
      'volume 5',
    ),
  },
  {
    goal: 'say when the office is open',
    run: onPage(
      '/accordion',
      async (agent) => {
        const line = (await agent.see()).find(({ name, text, ref }) => ref && /Opening hours/.test(`${name}${text}`));
        await agent.act({ kind: 'click', ref: line!.ref });
      },
      /9 to 17/,
    ),
  },
  {
    goal: 'say the address of the account',
    run: onPage('/tabs', (agent) => agent.click('tab', 'Address'), /Main Street 5/),
  },
  {
    goal: 'open the folder by a double click',
    run: onPage('/double', (agent) => agent.click('button', 'Photos', { doubleClick: true }), 'opened photos'),
  },
  {
    goal: 'save the picture by its menu',
    run: onPage(
      '/context',
      async (agent) => {
        await agent.click('button', /Picture of a cat/, { button: 'right' });
        await agent.click('menuitem', 'Save picture');
      },
      'saved cat',
    ),
  },
  {
    goal: 'play up, up, down',
    run: onPage(
      '/keys',
      async (agent) => {
        for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown']) await agent.act({ kind: 'press', key });
      },
      'Up Up Down',
    ),
  },
  {
    goal: 'run the job and say when it is finished',
    run: onPage(
      '/later',
      async (agent) => {
        await agent.click('button', 'Run the job');
        await agent.act({ kind: 'wait', text: 'is finished' });
      },
      /job 88/,
    ),
  },
];

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}
