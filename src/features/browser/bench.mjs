/**
 * What the browser costs above bare playwright-core, side by side in one run: a click, a snapshot of a large page, the
 * first use, and the memory of the gateway.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { rssMiB } from '../../../bench/machine.mjs';
import { startGateway } from '../../../bench/processes.mjs';
import { connectSocket } from '../../../bench/socket-client.mjs';
import { configure } from '../../../bench/state-directories.mjs';
import { median, timed } from '../../../bench/statistics.mjs';

const CHROMIUM = ['chromium-headless-shell', 'chromium', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
const CLICKS = 40;
const SNAPSHOTS = 3;
/** In which an idle gateway gives memory back. */
const REST_MS = 60_000;
const NAMES = {
  click: 'warm click ÷ bare playwright-core',
  snapshot: 'snapshot of 20 000 nodes ÷ bare',
  first: 'first use to a ready page ÷ bare launch',
  memory: 'gateway: memory a browser in use adds',
  rest: '  the same after a minute without a call',
};
const TARGETS = { click: { atMost: 1.5 }, snapshot: { atMost: 1.3 }, first: { atMost: 1.3 }, memory: { atMost: 25 } };

export async function measure({ report, space, mock, repeat, watch, plan }) {
  if (!CHROMIUM) {
    for (const name of Object.values(NAMES)) report.add(name, '×', []);
    return;
  }
  const pages = await servePages();
  const rounds = Math.min(5, plan.rounds);
  const firsts = await repeat('first uses', rounds, async (round) => {
    const bare = await bareLaunch(`${pages.url}/button`);
    await using gateway = await startBrowserGateway(space, mock, `first-${round}`, watch);
    using client = await connectSocket(gateway.port, ['operator.admin']);
    const ours = await timed(() => request(client, 'POST', '/tabs/open', { url: `${pages.url}/button` }));
    return { ours, bare };
  });
  await using gateway = await startBrowserGateway(space, mock, 'warm', watch);
  using client = await connectSocket(gateway.port, ['operator.admin']);
  await request(client, 'GET', '/');
  const before = rssMiB(gateway.pid);
  await request(client, 'POST', '/start');
  const { cdpUrl } = await request(client, 'GET', '/');
  // The same browser for both: how often one draws depends on the switches it was started with.
  const browser = await chromium.connectOverCDP(cdpUrl);
  try {
    const page = await browser.contexts()[0].newPage();
    const clicks = await compare({ client, page, url: `${pages.url}/button`, repeat, rounds }, 'clicks', CLICKS, {
      ours: (ref) => request(client, 'POST', '/act', { kind: 'click', ref }),
      bare: () => page.locator('aria-ref=e2').click(),
    });
    const memory = rssMiB(gateway.pid) - before;
    await sleep(REST_MS);
    const rest = rssMiB(gateway.pid) - before;
    const snapshots = await compare(
      { client, page, url: `${pages.url}/huge`, repeat, rounds },
      'snapshots',
      SNAPSHOTS,
      {
        ours: () => request(client, 'GET', '/snapshot', { maxChars: 0 }),
        bare: () => page.ariaSnapshot({ mode: 'ai' }),
      },
    );
    const ratios = (all) => all.map(({ ours, bare }) => ours / bare);
    const milliseconds = (all, whose) => all.map((one) => one[whose]);
    for (const [name, all] of Object.entries({ click: clicks, snapshot: snapshots, first: firsts })) {
      report.add(NAMES[name], '×', ratios(all), TARGETS[name]);
      report.add('  ours', 'ms', milliseconds(all, 'ours'));
      report.add('  bare', 'ms', milliseconds(all, 'bare'));
    }
    report.add(NAMES.memory, 'MiB', [memory], TARGETS.memory);
    report.add(NAMES.rest, 'MiB', [rest]);
  } finally {
    await browser.close();
    pages.close();
  }
}

async function startBrowserGateway(space, mock, name, watch) {
  const browser = { executablePath: CHROMIUM, headless: true, ssrfPolicy: { allowRanges: ['127.0.0.1/32'] } };
  const gateway = await startGateway(configure(space.make(name), mock.port, { browser }));
  watch(gateway);
  return gateway;
}

/** Both open the page and take a snapshot first; then in turn, so that the machine is the same for both. */
async function compare({ client, page, url, repeat, rounds }, what, count, { ours, bare }) {
  await request(client, 'POST', '/tabs/open', { url });
  await page.goto(url);
  const { snapshot } = await request(client, 'GET', '/snapshot', { maxChars: 0 });
  await page.ariaSnapshot({ mode: 'ai' });
  const ref = /button "[^"]*" \[ref=(e\d+)\]/.exec(snapshot)[1];
  await ours(ref);
  await bare();
  return repeat(`rounds of ${what}`, rounds, async () => {
    const took = { ours: [], bare: [] };
    for (let nth = 0; nth < count; nth++) {
      took.bare.push(await timed(() => bare()));
      took.ours.push(await timed(() => ours(ref)));
    }
    return { ours: median(took.ours), bare: median(took.bare) };
  });
}

const request = (client, method, path, given = {}) =>
  client.call('browser.request', { method, path, ...(method === 'POST' ? { body: given } : { query: given }) });

/** In a process of its own, as the gateway is: loading the driver is a part of it. */
async function bareLaunch(url) {
  const source = `const begun = performance.now();
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath: '${CHROMIUM}', args: ['--no-sandbox'] });
    const page = await (await browser.newContext()).newPage();
    await page.goto('${url}');
    console.log(performance.now() - begun);
    await browser.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  await once(child, 'close');
  return Number(said);
}

async function servePages() {
  const lines = Array.from({ length: 10_000 }, (_, at) => `<p>Line <b>${at}</b></p>`).join('');
  const bodies = { '/button': '<button>Press</button>', '/huge': `${lines}<button>The end</button>` };
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Bench</title><body>${bodies[url] ?? ''}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
