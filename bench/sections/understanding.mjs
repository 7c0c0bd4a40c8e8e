/** The cost of links: finding them, running a command beyond starting it, and two in parallel. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpTurn } from '../http-calls.mjs';
import { ROOT, startGateway } from '../processes.mjs';
import { configure } from '../state-directories.mjs';
import { medianOf, timed } from '../statistics.mjs';

/** An address that needs no DNS; the commands below never connect to it. */
const LINK = 'http://8.8.8.8/page';
const OTHER = 'http://8.8.4.4/page';
const SLOW_MS = 300;

export async function understanding({ plan, report, space, mock, repeat, watch }) {
  await detection({ plan, report, repeat });
  const dir = configure(space.make('links'), mock.port, {
    tools: { links: { concurrency: 2, models: [{ command: '/bin/echo', args: ['a page', '{{LinkUrl}}'] }] } },
  });
  await using gateway = await startGateway(dir);
  watch(gateway);
  const turn = (round, name, text) =>
    medianOf(plan.links, (nth) => timed(() => httpTurn(gateway.port, `${name}-${round}-${nth}`, text)));
  await turn('warm', 'links', LINK);
  const rounds = await repeat('rounds of links', plan.rounds, async (round) => ({
    plain: await turn(round, 'plain', 'ping'),
    link: await turn(round, 'link', `ping ${LINK}`),
    start: await medianOf(plan.links, async () => timed(() => execFileSync('/bin/echo', ['a page', LINK]))),
  }));
  report.add(
    'a link through /bin/echo: turn',
    'ms',
    rounds.map(({ link }) => link),
  );
  report.add(
    '  over the same turn without it, less the start of the command',
    'ms',
    rounds.map(({ link, plain, start }) => link - plain - start),
    { atMost: 15 },
  );

  const slow = join(dir, 'slow-page');
  writeFileSync(slow, `#!/bin/sh\nsleep ${SLOW_MS / 1000}\necho page\n`, { mode: 0o700 });
  const slowDir = configure(space.make('slow-links'), mock.port, {
    tools: { links: { concurrency: 2, models: [{ command: slow }] } },
  });
  await using patient = await startGateway(slowDir);
  watch(patient);
  await timed(() => httpTurn(patient.port, 'warm', LINK));
  const pairs = await repeat('pairs of slow links', plan.commands, async (round) => {
    const one = await timed(() => httpTurn(patient.port, `one-${round}`, LINK));
    const two = await timed(() => httpTurn(patient.port, `two-${round}`, `${LINK} ${OTHER}`));
    return two / one;
  });
  report.add('two slow links at once ÷ one of them', '×', pairs, { atMost: 1.3 });
}

async function detection({ plan, report, repeat }) {
  const { detectLinks } = await import(`${ROOT}src/pipeline/understanding/links/detect/detect.ts`);
  const { createUnderstanding } = await import(`${ROOT}src/pipeline/understander/create-understander.ts`);
  const { needed } = createUnderstanding({
    config: () => ({ agents: {}, tools: { links: { models: [{ command: '/bin/echo', args: [] }] } } }),
  });
  const message = (text) => ({ message: { text, attachments: [] }, route: { agentId: 'main' } });
  const prose = 'A sentence of a long message, with *some* words (and brackets) in it. '.repeat(80).slice(0, 4000);
  const linked = `${prose.slice(0, 1300)} https://a.example/x ${prose.slice(1300, 2600)} [docs](https://b.example) ${prose.slice(2600)} https://c.example/y?z=1.`;
  const runs = await repeat('detections', plan.rounds, () => ({
    none: perCall(20_000, () => needed(message(prose))),
    found: perCall(400, () => detectLinks(linked, { limit: 20 })),
  }));
  report.add(
    'a 4 kB message without links or files: all it pays',
    'ms',
    runs.map(({ none }) => none),
    { atMost: 0.1 },
  );
  report.add(
    'finding the links of a 4 kB message',
    'ms',
    runs.map(({ found }) => found),
    { atMost: 0.2 },
  );
}

function perCall(times, work) {
  const start = performance.now();
  for (let nth = 0; nth < times; nth++) work();
  return (performance.now() - start) / times;
}
