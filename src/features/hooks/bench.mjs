/** What a hook costs its caller: from the request until what happened is on disk. */
import { post } from '../../../bench/http-calls.mjs';
import { startGateway } from '../../../bench/processes.mjs';
import { configure } from '../../../bench/state-directories.mjs';
import { quantile, timed } from '../../../bench/statistics.mjs';

const SECRET = 'hooks-secret-of-the-benchmark';

export async function measure({ plan, report, space, mock, repeat, watch }) {
  const dir = configure(space.make('hooks'), mock.port, { hooks: { enabled: true, token: SECRET } });
  await using gateway = await startGateway(dir);
  watch(gateway);
  const wake = async (text) => {
    const { status, text: said } = await post(
      `http://127.0.0.1:${gateway.port}/hooks/wake`,
      JSON.stringify({ text, mode: 'next-heartbeat' }),
      { authorization: `Bearer ${SECRET}` },
    );
    if (status !== 200) throw new Error(`The gateway answered ${status}: ${said.slice(0, 300)}`);
  };
  await wake('warm');
  const rounds = await repeat('rounds of hooks', plan.rounds, async (round) => {
    const took = [];
    for (let nth = 0; nth < plan.turns; nth++) took.push(await timed(() => wake(`event ${round} ${nth}`)));
    return took;
  });
  for (const [name, share] of [
    ['a hook that notes an event, p50', 0.5],
    ['  p95', 0.95],
  ])
    report.add(
      name,
      'ms',
      rounds.map((took) => quantile(took, share)),
    );
}
