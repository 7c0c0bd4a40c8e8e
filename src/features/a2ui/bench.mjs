/** What a surface costs a browser: its first paint, and its frames while data arrives a thousand times a second. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startGateway } from '../../../bench/processes.mjs';
import { connectSocket } from '../../../bench/socket-client.mjs';
import { configure } from '../../../bench/state-directories.mjs';
import { quantile } from '../../../bench/statistics.mjs';

const COMPONENTS = 500;
const UPDATES_PER_SECOND = 1000;
const PUSHES_PER_SECOND = 50;
const SECONDS = 3;
const CHROMIUM = ['chromium-headless-shell', 'chromium', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));

const text = (n) => ({ id: `t${n}`, component: { Text: { text: { path: `/v/${n}` } } } });
const ids = Array.from({ length: COMPONENTS - 1 }, (_, n) => n);
const SURFACE = [
  {
    surfaceUpdate: {
      surfaceId: 'main',
      components: [
        { id: 'root', component: { Column: { children: { explicitList: ids.map((n) => `t${n}`) } } } },
        ...ids.map(text),
      ],
    },
  },
  {
    dataModelUpdate: {
      surfaceId: 'main',
      contents: [{ key: 'v', valueMap: ids.map((n) => ({ key: String(n), valueString: `value ${n}` })) }],
    },
  },
  { beginRendering: { surfaceId: 'main', root: 'root' } },
];
const jsonl = (messages) => messages.map((message) => JSON.stringify(message)).join('\n');
const update = (n) => ({
  dataModelUpdate: {
    surfaceId: 'main',
    path: `/v/${n % ids.length}`,
    contents: [{ key: '.', valueString: `changed ${n}` }],
  },
});

export async function measure({ report, space, mock, repeat, watch, plan }) {
  const names = { paint: 'first paint of a canvas, 500 components', frames: '1000 updates a second: frames, p95' };
  if (!CHROMIUM) {
    for (const name of Object.values(names)) report.add(name, 'ms', []);
    return;
  }
  const dir = configure(space.make('a2ui'), mock.port);
  await using gateway = await startGateway(dir);
  watch(gateway);
  using client = await connectSocket(gateway.port);
  await client.call('a2ui.push', { jsonl: jsonl(SURFACE) });
  const { path } = await client.call('a2ui.link', {});
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const address = `http://127.0.0.1:${gateway.port}${path}`;
    const rounds = await repeat('rounds of canvases', Math.min(3, plan.rounds), () =>
      oneRound(browser, address, client),
    );
    report.add(
      names.paint,
      'ms',
      rounds.map(({ paint }) => paint),
      { atMost: 1000 },
    );
    report.add(
      names.frames,
      'ms',
      rounds.map(({ frames }) => quantile(frames, 0.95)),
      { atMost: 32 },
    );
    report.add(
      '  longest',
      'ms',
      rounds.map(({ frames }) => Math.max(...frames)),
    );
    report.add(
      '  drawn within a second of the last',
      'updates',
      rounds.map(({ drawn }) => drawn),
    );
  } finally {
    await browser.close();
  }
}

async function oneRound(browser, address, client) {
  const page = await browser.newPage();
  try {
    const began = performance.now();
    await page.goto(address, { waitUntil: 'commit' });
    await page
      .locator('.c-Text')
      .nth(COMPONENTS - 2)
      .waitFor();
    const paint = performance.now() - began;
    await page.evaluate(COUNT_FRAMES);
    const last = await send(client);
    await page.waitForFunction((wanted) => document.body.innerText.includes(wanted), last, { timeout: 1000 });
    const frames = await page.evaluate('globalThis.__frames');
    const drawn = await page.locator('.c-Text', { hasText: 'changed' }).count();
    return { paint, frames, drawn };
  } finally {
    await page.close();
  }
}

const COUNT_FRAMES = `(() => {
  const frames = (globalThis.__frames = []);
  let before = performance.now();
  const next = (now) => { frames.push(now - before); before = now; requestAnimationFrame(next); };
  requestAnimationFrame((now) => { before = now; requestAnimationFrame(next); });
})()`;

/** At an even pace; answers with the text of the last update. */
async function send(client) {
  const perPush = UPDATES_PER_SECOND / PUSHES_PER_SECOND;
  const began = performance.now();
  const sent = [];
  for (let nth = 0; nth < PUSHES_PER_SECOND * SECONDS; nth++) {
    const wait = began + (nth * 1000) / PUSHES_PER_SECOND - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const messages = Array.from({ length: perPush }, (_, one) => update(nth * perPush + one));
    sent.push(client.call('a2ui.push', { jsonl: jsonl(messages) }));
  }
  await Promise.all(sent);
  return `changed ${UPDATES_PER_SECOND * SECONDS - 1}`;
}
