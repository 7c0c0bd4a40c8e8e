/** The chat in Chromium: how soon a long history is there, whether scrolling it jumps, and its frames under load. */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { TOKEN } from '../http-calls.mjs';
import { startGateway } from '../processes.mjs';
import { addEntry, configure, fillSessions } from '../state-directories.mjs';
import { quantile } from '../statistics.mjs';

const SESSIONS = 10_000;
const HISTORIES = [1, 1000, 20_000];
const DELTAS_PER_SECOND = 200;
const SECONDS = 4;
/** CSS pixels a frame: scrolling fast, and with the bar. */
const STEP = 900;
const FLICK = 12_000;
const CHROMIUM = ['chromium-headless-shell', 'chromium', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
const keyOf = (count) => `agent:main:bench-history-${count}`;

export async function chat({ report, space, repeat, watch, plan }) {
  if (!CHROMIUM) return report.add('the chat in Chromium (not installed here)', 'ms', []);
  await using model = await startSlowModel();
  const dir = fillSessions(configure(space.make('chat'), model.port), SESSIONS);
  for (const count of HISTORIES) addHistory(dir, count);
  await using gateway = await startGateway(dir);
  watch(gateway);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    await tellLoad(report, browser, gateway.port);
    const rounds = await repeat('rounds of chats', Math.max(1, Math.floor(plan.rounds / 3)), () =>
      oneRound(browser, gateway.port),
    );
    tell(report, rounds);
  } finally {
    await browser.close();
  }
}

/** Notes, in the page, which frame is the first with the chat's composer. */
const NOTE_CHAT = `(() => {
  const look = () => {
    if (!document.querySelector('.chat claw-composer textarea')) return requestAnimationFrame(look);
    requestAnimationFrame(() => performance.mark('chat-painted'));
  };
  requestAnimationFrame(look);
})()`;

/** Compressed bytes of the page and of what had come with it by then. */
const BYTES_UNTIL_CHAT = `(() => {
  const [{ startTime }] = performance.getEntriesByName('chat-painted');
  return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ responseEnd }) => responseEnd <= startTime)
    .reduce((sum, { transferSize }) => sum + transferSize, 0);
})()`;

/** What a first visit transfers, compressed, without a cache: until the chat is painted, until nothing more comes. */
async function tellLoad(report, browser, port) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await page.addInitScript(NOTE_CHAT);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const sizes = [];
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => sizes.push(encodedDataLength));
    const sum = () => sizes.reduce((bytes, one) => bytes + one, 0) / 1000;
    await page.goto(`http://127.0.0.1:${port}/#token=${TOKEN}`, { waitUntil: 'commit' });
    await page.locator('.chat claw-composer textarea').waitFor();
    await page.waitForLoadState('networkidle');
    const painted = (await page.evaluate(BYTES_UNTIL_CHAT)) / 1000;
    report.add('first load, compressed: until the chat is painted', 'kB', [painted], { atMost: 60 });
    report.add('  in total', 'kB', [sum()], { atMost: 120 });
  } finally {
    await page.close();
  }
}

function tell(report, rounds) {
  const row = (what, unit, pick, target) => report.add(what, unit, rounds.map(pick), target);
  for (const count of HISTORIES)
    row(`a history of ${count} messages is open`, 'ms', ({ open }) => open[count], { atMost: 300 });
  row('20 000 messages, scrolled to the first: frames, p95', 'ms', ({ up }) => quantile(up.frames, 0.95), {
    atMost: 32,
  });
  row('  what is read jumps at most', 'px', ({ up }) => up.jump, { atMost: 2 });
  row('  from the last to the first message', 's', ({ up }) => up.seconds);
  row('  elements in the page at the first message', 'nodes', ({ up }) => up.nodes, { atMost: 6000 });
  row('200 deltas a second: frames, p95', 'ms', ({ deltas }) => quantile(deltas, 0.95), { atMost: 32 });
  row('  longest', 'ms', ({ deltas }) => Math.max(...deltas));
  for (const [name, pick] of [
    ['the list of 10 000 conversations', ({ list }) => list],
    ['the Sessions page with 10 000 sessions', ({ table }) => table],
  ]) {
    row(`${name}: frames while scrolling, p95`, 'ms', (round) => quantile(pick(round).frames, 0.95), { atMost: 17.5 });
    row('  rows in the page', 'rows', (round) => pick(round).rows, { atMost: 200 });
  }
}

async function oneRound(browser, port) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await page.goto(`http://127.0.0.1:${port}/?session=${keyOf(1)}#token=${TOKEN}`);
    await page.locator('.answer, .person').first().waitFor();
    const open = {};
    for (const count of HISTORIES) open[count] = await page.evaluate(openHistory(count));
    const up = await page.evaluate(SCROLL_TO_START);
    const list = await page.evaluate(scrollDown('.session-list', '.session'));
    const deltas = await streamed(page);
    await page.evaluate(visit('/sessions'));
    await page.locator('.session-line:not(.head)').first().waitFor();
    const table = await page.evaluate(scrollDown('.session-table', '.session-line:not(.head)'));
    return { open, up, deltas, list, table };
  } finally {
    await page.close();
  }
}

async function streamed(page) {
  await page.evaluate(visit(`/?session=${keyOf(1000)}`));
  await page.locator('.composer textarea').fill('stream');
  await page.locator('.composer textarea').press('Enter');
  await page.locator('.answer.streaming').waitFor();
  return await page.evaluate(framesFor(SECONDS * 1000 - 500));
}

const visit = (path) =>
  `history.pushState(null, '', ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent('popstate'))`;

const FRAMES = `
  const frames = [];
  let before = performance.now();
  let more = true;
  const next = (now) => { frames.push(now - before); before = now; if (more) requestAnimationFrame(next); };
  requestAnimationFrame((now) => { before = now; requestAnimationFrame(next); });
  const frame = () => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));`;

const framesFor = (ms) => `(async () => {${FRAMES}
  await new Promise((resolve) => setTimeout(resolve, ${ms}));
  more = false;
  return frames;
})()`;

/** From another conversation until its last message is painted. */
const openHistory = (count) => `(async () => {
  history.pushState(null, '', '/?session=' + encodeURIComponent('${keyOf(HISTORIES[0])}x${count}'));
  dispatchEvent(new PopStateEvent('popstate'));
  while (document.querySelector('.messages .person')) await new Promise(requestAnimationFrame);
  const began = performance.now();
  ${visit(`/?session=${keyOf(count)}`)};
  while (![...document.querySelectorAll('.messages > *')].at(-1)?.textContent.includes('message ${count - 1}.'))
    await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
})()`;

/** A flick a frame, page after page; what is seen may move by the flick and by nothing else. */
const SCROLL_TO_START = `(async () => {${FRAMES}
  const scroller = document.querySelector('claw-messages .scroller');
  const began = performance.now();
  const first = () => [...document.querySelectorAll('.messages > *')].find((one) => one.getBoundingClientRect().bottom > 120);
  const where = (one) => one.getBoundingClientRect().top;
  let jump = 0;
  for (let steps = 0, still = 0; still < 3; steps++) {
    // Most of the way in flicks beyond what is drawn; of each fifth, a short one, it is looked at whether it jumps.
    const row = first();
    const top = where(row);
    const from = scroller.scrollTop;
    scroller.scrollTop = from - (steps % 5 === 0 ? ${STEP / 3} : ${FLICK});
    const moved = from - scroller.scrollTop;
    await frame();
    if (steps % 5 === 0 && row.isConnected) jump = Math.max(jump, Math.abs(where(row) - top - moved));
    if (!document.querySelector('.show-earlier') && scroller.scrollTop === 0) still += 1;
    if (performance.now() - began > 240_000) throw new Error('the first message never came');
  }
  more = false;
  if (!document.querySelector('.messages').textContent.includes('message 0.')) throw new Error('that is not the first message');
  return { frames, jump, seconds: (performance.now() - began) / 1000, nodes: document.querySelectorAll('*').length };
})()`;

/** Until all pages are there and the end is reached. */
const scrollDown = (selector, row) => `(async () => {
  const scroller = document.querySelector(${JSON.stringify(selector)});
  const began = performance.now();
  while (document.querySelector(${JSON.stringify(selector)} + ' .show-more')) {
    scroller.scrollTop = scroller.scrollHeight;
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (performance.now() - began > 240_000) throw new Error('the last row never came');
  }
  scroller.scrollTop = 0;
  await new Promise((resolve) => setTimeout(resolve, 500));
  ${FRAMES}
  for (let nth = 0; nth < 180; nth++) { scroller.scrollTop += ${STEP}; await frame(); }
  more = false;
  return { frames, rows: scroller.querySelectorAll(${JSON.stringify(row)}).length };
})()`;

/** A model that answers with 200 parts a second, in this process. */
async function startSlowModel() {
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (choice) =>
      response.write(
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'mock', choices: [{ index: 0, ...choice }] })}\n\n`,
      );
    const began = performance.now();
    for (let nth = 0; nth < DELTAS_PER_SECOND * SECONDS; nth++) {
      send({
        delta: { role: 'assistant', content: nth % 40 === 39 ? '.\n\n' : `word${nth} **bold** ` },
        finish_reason: null,
      });
      const wait = began + ((nth + 1) * 1000) / DELTAS_PER_SECOND - performance.now();
      if (wait > 1) await sleep(wait);
    }
    send({ delta: {}, finish_reason: 'stop' });
    response.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A conversation of so many messages: short and long ones, lists and code. */
function addHistory(dir, count) {
  const folder = join(dir, 'agents/main/sessions');
  const sessionId = randomUUID();
  const at = Date.now() - 60_000;
  const timestamp = new Date(at).toISOString();
  const answer = (index) =>
    `Answer in message ${index}.\n\n- **one** thing\n- another \`thing\`\n\n${'More words of an answer. '.repeat((index % 9) * 4)}`;
  const message = (index) => ({
    type: 'message',
    id: `m${index}`,
    turnId: `${count}-t${Math.floor(index / 2)}`,
    timestamp,
    message:
      index % 2 === 0
        ? { role: 'user', content: [{ type: 'text', text: `Question in message ${index}.` }], timestamp: at }
        : {
            role: 'assistant',
            content: [{ type: 'text', text: answer(index) }],
            timestamp: at,
            provider: 'mock',
            model: 'mock',
            usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 2 },
            stopReason: 'stop',
          },
  });
  const lines = [
    { type: 'session', version: 3, id: sessionId, timestamp, cwd: '/tmp', sessionKey: keyOf(count) },
    ...Array.from({ length: count }, (_, index) => message(index)),
  ];
  writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, {
    mode: 0o600,
  });
  addEntry(dir, keyOf(count), { sessionId, createdAt: at, updatedAt: at, channel: 'webchat' });
}
