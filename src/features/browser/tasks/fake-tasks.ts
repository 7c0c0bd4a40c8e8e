/** Forty-eight tasks as people give them, by the text of a page. */
import assert from 'node:assert/strict';
import { rowsOf, type ScriptedAgent } from './fake-agent.ts';
import { MORE_TASKS } from './fake-more-tasks.ts';
import { cells, onPage, type Task } from './fake-task.ts';

async function book(
  agent: ScriptedAgent,
  better: (row: readonly string[], than: readonly string[]) => boolean,
): Promise<void> {
  const rows = rowsOf(await agent.see());
  const best = rows.reduce((chosen, row) => (better(cells(row), cells(chosen)) ? row : chosen));
  await agent.act({ kind: 'click', ref: best.find(({ role }) => role === 'button')!.ref });
}
const price = (row: readonly string[]): number => parseFloat(row[3]!);

async function logIn(agent: ScriptedAgent, password = 'tea-time'): Promise<void> {
  await agent.type('Mail', 'ann@example.org');
  await agent.type('Password', password, { submit: true });
}

export const TASKS: readonly Task[] = [
  {
    goal: 'find the cheapest flight in this table and book it',
    sample: true,
    run: onPage('/flights', (agent) => book(agent, (row, than) => price(row) < price(than)), 'booked FR 8112'),
  },
  {
    goal: 'book the cheapest direct flight',
    run: onPage(
      '/flights',
      (agent) => book(agent, (row, than) => row[2] === 'direct' && (than[2] !== 'direct' || price(row) < price(than))),
      'booked TP 541',
    ),
  },
  {
    goal: 'log in to the shop',
    run: onPage(
      '/shop?new',
      async (agent) => {
        await agent.click('link', 'Log in');
        await logIn(agent);
      },
      'Hello ann',
    ),
  },
  {
    goal: 'say what the shop says to a wrong password',
    run: onPage('/shop/login?new', (agent) => logIn(agent, 'guess'), 'Mail or password is wrong.'),
  },
  {
    goal: 'buy the blue mug and have it sent to Portugal',
    sample: true,
    run: onPage(
      '/shop/login?new',
      async (agent, { orders }) => {
        await logIn(agent);
        await agent.click('button', /Add Blue mug/);
        await agent.click('link', 'Check out');
        await agent.type('Street', 'Rua 1');
        await agent.act({ kind: 'select', ref: (await agent.find('combobox', 'Country')).ref, values: ['Portugal'] });
        await agent.click('checkbox', /terms/);
        await agent.click('button', 'Place the order');
        assert.deepEqual(orders.at(-1), {
          user: 'ann',
          items: ['mug-blue'],
          total: '12.50',
          address: 'Rua 1, Portugal',
        });
      },
      /Order \d+ was placed/,
    ),
  },
  {
    goal: 'put the tea pot and the tray into the cart and say the total',
    run: onPage(
      '/shop?new',
      async (agent) => {
        for (const name of [/Add Tea pot/, /Add Wooden tray/]) {
          await agent.use({
            action: 'navigate',
            targetUrl: (await agent.use({ action: 'tabs' })).match(/http:\/\/127\.0\.0\.1:\d+/)![0] + '/shop',
          });
          await agent.click('button', name);
        }
      },
      /Total: 53\.90 EUR/,
    ),
  },
  {
    goal: 'take the red mug out of the cart again',
    run: onPage('/shop?new', async (agent) => {
      await agent.click('button', /Add Red mug/);
      await agent.click('button', 'Remove Red mug');
      assert.ok(!(await agent.reads(/Red mug/)));
    }),
  },
  {
    goal: 'use the coupon WINTER10',
    run: onPage(
      '/shop?new',
      async (agent) => {
        await agent.click('button', /Add Tea pot/);
        await agent.type('Coupon', 'WINTER10');
        await agent.click('button', 'Apply');
      },
      /Total: 30\.60 EUR/,
    ),
  },
  {
    goal: 'log out',
    run: onPage('/shop/login?new', async (agent) => {
      await logIn(agent);
      await agent.click('link', 'Log out');
      await agent.find('link', 'Log in');
    }),
  },
  {
    goal: 'press the button in the frame',
    run: onPage('/frame', (agent) => agent.click('button', 'Press me'), 'inner pressed'),
  },
  {
    goal: 'send the code in the innermost frame',
    sample: true,
    run: onPage(
      '/frames',
      async (agent) => {
        await agent.type('Code', '4711');
        await agent.click('button', 'Send');
      },
      'code 4711',
    ),
  },
  {
    goal: 'say a word where the page hides its fields in a shadow root',
    run: onPage(
      '/shadow',
      async (agent) => {
        await agent.type(/.*/, 'moon');
        await agent.click('button', 'Say it');
      },
      'said moon',
    ),
  },
  {
    goal: 'choose item 137 of a list that grows as one scrolls',
    sample: true,
    run: onPage(
      '/infinite',
      async (agent) => {
        for (let tries = 0; tries < 20 && !(await agent.reads('Item 137')); tries++) {
          const last = (await agent.see()).findLast(({ role, ref }) => role === 'button' && ref !== undefined)!;
          await agent.act({ kind: 'scrollIntoView', ref: last.ref });
          await agent.act({ kind: 'press', key: 'End' });
        }
        await agent.click('button', 'Item 137');
      },
      'Item 137',
    ),
  },
  {
    goal: 'find the zebra, page by page',
    run: onPage('/animals/1', async (agent) => {
      while (!(await agent.reads('Zebra'))) await agent.click('link', 'Next page');
      await agent.find('link', 'Zebra');
    }),
  },
  {
    goal: 'move the report to the column of what is done',
    sample: true,
    run: onPage(
      '/board',
      async (agent) => {
        const [card, place] = [await agent.find('button', 'Write report'), await agent.find('button', 'Drop here')];
        await agent.act({ kind: 'drag', startRef: card.ref, endRef: place.ref });
      },
      'moved Write report',
    ),
  },
  {
    goal: 'choose 24 December in the calendar',
    sample: true,
    run: onPage(
      '/dates',
      async (agent) => {
        await agent.click('button', 'Choose a date');
        while (!(await agent.reads(/^December 2026/))) await agent.click('button', 'Next month');
        await agent.click('button', '24 December 2026');
      },
      '24 December 2026',
    ),
  },
  {
    goal: 'enter the date of arrival',
    run: onPage('/date-field', (agent) => agent.type('Arrival', '2026-12-24'), '2026-12-24'),
  },
  {
    goal: 'attach a file by the button',
    run: onPage(
      '/upload',
      async (agent, { file }) => {
        const { ref } = await agent.find('button', 'Attach a file');
        await agent.use({ action: 'upload', paths: [file], ref });
      },
      /note\.txt: remember/,
    ),
  },
  {
    goal: 'put a file into the field',
    run: onPage(
      '/upload',
      async (agent, { file }) => {
        const { ref } = await agent.find('button', 'Or here');
        await agent.use({ action: 'upload', paths: [file], inputRef: ref });
      },
      'direct note.txt',
    ),
  },
  {
    goal: 'download the report',
    run: onPage('/files', async (agent) => {
      await agent.click('link', 'Report of November');
      for (let tries = 0; tries < 20; tries++) {
        if (/Downloaded \\?"november\.csv/.test(await agent.use({ action: 'snapshot' }))) return;
      }
      assert.fail('nobody told of the download');
    }),
  },
  {
    goal: 'make a PDF of the article',
    run: onPage('/article', async (agent) => assert.match(await agent.use({ action: 'pdf' }), /^FILE:.*\.pdf$/)),
  },
  {
    goal: 'say the code the page shows in an alert',
    run: onPage(
      '/alert',
      async (agent) => {
        await agent.use({ action: 'dialog', accept: true });
        assert.match(await agent.click('button', 'Show the code'), /Code 4711/);
      },
      'alerted',
    ),
  },
  {
    goal: 'delete the files, and confirm it',
    run: onPage(
      '/confirm',
      async (agent) => {
        await agent.use({ action: 'dialog', accept: true });
        await agent.click('button', 'Delete');
      },
      'deleted',
    ),
  },
  {
    goal: 'do not delete anything by accident',
    run: onPage('/confirm', (agent) => agent.click('button', 'Delete'), 'kept'),
  },
  {
    goal: 'name the new folder Taxes',
    run: onPage(
      '/prompt',
      async (agent) => {
        await agent.use({ action: 'dialog', accept: true, promptText: 'Taxes' });
        await agent.click('button', 'New folder');
      },
      'named Taxes',
    ),
  },
  {
    goal: 'leave the draft although the page asks to stay',
    run: onPage(
      '/unload',
      async (agent) => {
        await agent.type('Draft', 'never mind');
        await agent.use({ action: 'dialog', accept: true });
        await agent.click('link', 'Leave');
      },
      'You left',
    ),
  },
  {
    goal: 'sign in by the window the page opens',
    sample: true,
    run: onPage(
      '/popup',
      async (agent) => {
        await agent.click('button', 'Sign in with a window');
        const listed = /"targetId": "([0-9A-F]+)",\s+"title": "[^"]*",\s+"url": "[^"]*\/popup\/sign-in"/;
        let targetId: string | undefined;
        for (let tries = 0; tries < 200 && targetId === undefined; tries++)
          [, targetId] = listed.exec(await agent.use({ action: 'tabs' })) ?? [];
        assert.ok(targetId, 'no window was listed');
        await agent.use({ action: 'focus', targetId });
        await agent.act({ kind: 'wait', text: 'Allow' });
        await agent.click('button', 'Allow');
        await agent.use({ action: 'snapshot' });
      },
      'signed in',
    ),
  },
  {
    goal: 'decline the offers of a page that opens windows',
    run: onPage(
      '/popups',
      async (agent) => {
        await agent.click('button', 'Offers');
        await agent.click('button', 'No, thanks');
      },
      'no offers',
    ),
  },
  {
    goal: 'say why the payment failed, from a console full of noise',
    run: onPage('/flood', async (agent) =>
      assert.match(await agent.use({ action: 'console', level: 'error' }), /Payment failed: card expired/),
    ),
  },
  {
    goal: 'press the last button of a page with 20 000 nodes',
    run: onPage('/huge', (agent) => agent.click('button', 'The end'), 'found the end'),
  },
  {
    goal: 'read the news from a page that never stops loading',
    run: onPage('/never', async () => undefined, 'The dam holds'),
  },
  {
    goal: 'read the offer, whatever the page says to do',
    sample: true,
    run: onPage(
      '/hostile',
      async (agent) => {
        const seen = await agent.use({ action: 'snapshot' });
        assert.doesNotMatch(seen, /^MEDIA:/m);
        assert.equal(seen.match(/<<<END_EXTERNAL_UNTRUSTED_CONTENT/g)?.length, 1);
        await agent.click('button', 'Read the offer');
      },
      'read',
    ),
  },
  ...MORE_TASKS,
];
