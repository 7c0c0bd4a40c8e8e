import { chromium } from 'playwright-core';
import { startGateway, startMock } from './processes.mjs';
import { connectSocket } from './socket-client.mjs';
import { configure, scratch } from './state-directories.mjs';
const SHOTS = '/tmp/nodes/shots';
const lit = (s) => ({ literalString: s });
const T = (s, usageHint) => ({ Text: { text: typeof s === 'string' ? lit(s) : s, ...(usageHint && { usageHint }) } });
const comp = (surfaceId, list) => ({ surfaceUpdate: { surfaceId, components: Object.entries(list).map(([id, c]) => (c.w ? { id, weight: c.w, component: c.c } : { id, component: c })) } });
const begin = (surfaceId) => ({ beginRendering: { surfaceId, root: 'root' } });
const jsonl = (...m) => m.map((x) => JSON.stringify(x)).join('\n');
const form = jsonl(comp('main', {
  root: { Card: { child: 'col' } },
  col: { Column: { children: { explicitList: ['h', 'p', 'name', 'when', 'row', 'kind', 'news', 'many', 'd', 'btns'] } } },
  h: T('Book a table', 'h2'), p: T('We answer within **ten minutes**. Fields with your name are kept for the next time.', 'body'),
  name: { TextField: { label: lit('Name'), text: { path: '/name' } } },
  when: { DateTimeInput: { value: { path: '/when' }, enableDate: true, enableTime: true } },
  row: { Row: { children: { explicitList: ['mail', 'tel'] } } },
  mail: { TextField: { label: lit('E-mail'), text: { path: '/mail' } } },
  tel: { TextField: { label: lit('Guests'), text: { path: '/guests' }, textFieldType: 'number' } },
  kind: { MultipleChoice: { selections: { path: '/place' }, maxAllowedSelections: 1, options: [{ label: lit('Inside'), value: 'in' }, { label: lit('On the terrace'), value: 'out' }] } },
  news: { CheckBox: { label: lit('Tell me about the menu of the week'), value: { path: '/news' } } },
  many: { Slider: { value: { path: '/n' }, minValue: 0, maxValue: 10 } },
  d: { Divider: {} },
  btns: { Row: { children: { explicitList: ['ok', 'no'] }, distribution: 'end' } },
  ok: { Button: { child: 'okt', primary: true, action: { name: 'book', context: [{ key: 'name', value: { path: '/name' } }] } } }, okt: T('Book'),
  no: { Button: { child: 'not', action: { name: 'cancel' } } }, not: T('Cancel'),
}), { dataModelUpdate: { surfaceId: 'main', contents: [{ key: 'name', valueString: 'Ann' }, { key: 'when', valueString: '2026-12-01T19:30' }, { key: 'mail', valueString: 'ann@example.org' }, { key: 'guests', valueString: '4' }, { key: 'place', valueString: '["out"]' }, { key: 'news', valueBoolean: true }, { key: 'n', valueNumber: 6 }] } }, begin('main'));
const kpi = (id, icon, label, value, note) => ({ [id]: { w: 1, c: { Card: { child: `${id}c` } } }, [`${id}c`]: { Column: { children: { explicitList: [`${id}r`, `${id}v`, `${id}n`] } } }, [`${id}r`]: { Row: { children: { explicitList: [`${id}i`, `${id}l`] }, alignment: 'center' } }, [`${id}i`]: { Icon: { name: lit(icon) } }, [`${id}l`]: T(label, 'caption'), [`${id}v`]: T(value, 'h1'), [`${id}n`]: T(note, 'caption') });
const dash = jsonl(comp('main', {
  root: { Column: { children: { explicitList: ['t', 'k', 'tabs', 'mod'] } } }, t: T('Home', 'h1'),
  k: { Row: { children: { explicitList: ['a', 'b', 'c'] } } },
  ...kpi('a', 'home', 'Temperature', '21.5 °C', 'set to 21 °C'), ...kpi('b', 'event', 'Next', '14:30', 'Dentist'), ...kpi('c', 'mail', 'Unread', '12', '3 from people'),
  tabs: { Tabs: { tabItems: [{ title: lit('Rooms'), child: 'rooms' }, { title: lit('Energy'), child: 'energy' }] } },
  rooms: { Column: { children: { template: { componentId: 'room', dataBinding: '/rooms' } } } },
  room: { Row: { children: { explicitList: ['rn', 'rt', 'rs'] }, distribution: 'spaceBetween', alignment: 'center' } },
  rn: T({ path: 'name' }, 'h4'), rt: T({ path: 'temp' }), rs: { CheckBox: { label: lit('Heating'), value: { path: 'on' } } },
  energy: T('7.4 kWh today'),
  mod: { Modal: { entryPointChild: 'open', contentChild: 'inner' } }, open: { Button: { child: 'opent', action: { name: 'x' } } }, opent: T('Details'), inner: T('Nothing to report.'),
}), { dataModelUpdate: { surfaceId: 'main', contents: [{ key: 'rooms', valueString: JSON.stringify([{ name: 'Kitchen', temp: '20.1 °C', on: true }, { name: 'Living room with a very long name that has to wrap somewhere', temp: '22.0 °C', on: false }, { name: 'Bath', temp: '23.4 °C', on: true }]) }] } }, begin('main'));
const list = jsonl(comp('main', {
  root: { Column: { children: { explicitList: ['t', 'l'] } } }, t: T('Shopping', 'h2'),
  l: { List: { direction: 'vertical', children: { template: { componentId: 'row', dataBinding: '/items' } } } },
  row: { Card: { child: 'rr' } }, rr: { Row: { children: { explicitList: ['ic', 'tx', 'bt'] }, alignment: 'center', distribution: 'spaceBetween' } },
  ic: { Icon: { name: lit('shoppingCart') } }, tx: { w: 1, c: { Column: { children: { explicitList: ['n', 'm'] } } } }, n: T({ path: 'name' }, 'h5'), m: T({ path: 'note' }, 'caption'),
  bt: { Button: { child: 'btt', action: { name: 'done', context: [{ key: 'name', value: { path: 'name' } }] } } }, btt: T('Done'),
}), { dataModelUpdate: { surfaceId: 'main', contents: [{ key: 'items', valueString: JSON.stringify(Array.from({ length: 8 }, (_, n) => ({ name: `Item ${n + 1}`, note: n % 3 ? 'two of them' : 'the one in the blue package, next to the bread, not the other' }))) }] } }, begin('main'));
using space = scratch(); await using mock = await startMock();
const dir = configure(space.make('shots'), mock.port);
await using gateway = await startGateway(dir);
using client = await connectSocket(gateway.port);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] }).catch(() => chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }));
try {
  const { path } = await client.call('a2ui.link', {});
  for (const [name, text] of [['form', form], ['dash', dash], ['list', list]]) {
    await client.call('a2ui.reset', {}); await client.call('a2ui.push', { jsonl: text });
    for (const [kind, viewport, colorScheme] of [['wide', { width: 1000, height: 700 }, 'light'], ['phone', { width: 390, height: 780 }, 'dark']]) {
      const page = await browser.newPage({ viewport, colorScheme });
      await page.goto(`http://127.0.0.1:${gateway.port}${path}`); await page.locator('.c-Text').first().waitFor(); await new Promise((r) => setTimeout(r, 400));
      const fits = await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth');
      console.log(name, kind, 'fits', fits);
      await page.screenshot({ path: `${SHOTS}/${name}-${kind}.png`, fullPage: true }); await page.close();
    }
  }
  for (const [kind, viewport, colorScheme] of [['wide', { width: 1200, height: 800 }, 'light'], ['phone', { width: 390, height: 780 }, 'dark']]) {
    const page = await browser.newPage({ viewport, colorScheme });
    await page.goto(`http://127.0.0.1:${gateway.port}/canvas#token=bench`); await page.locator('claw-a2ui, claw-canvas').first().waitFor().catch(() => {}); await new Promise((r) => setTimeout(r, 2500));
    await page.screenshot({ path: `${SHOTS}/canvaspage-${kind}.png`, fullPage: true }); await page.close();
  }
} finally { await browser.close(); }
