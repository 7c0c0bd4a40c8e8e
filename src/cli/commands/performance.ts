/** `status --perf`: how fast the gateway was in the last hour, and what took longest. */
import { cut } from '../../core/cut.ts';
import { sizeText } from '../../core/size-text.ts';
import type { HourReading } from '../../core/hour-histogram.ts';
import type { PerformanceReport } from '../../protocol/answers/system.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { columns, listing } from '../columns.ts';
import type { Call } from '../command.ts';
import { ago } from '../durations.ts';

export async function performance(
  { flags, io }: Call,
  link: { request<T>(method: string, params: object): Promise<T> },
): Promise<void> {
  const report = await link.request<PerformanceReport>('performance', {});
  if (flags.has('json')) return io.out(JSON.stringify(report, null, 2));
  io.out(`Last hour${report.sinceMs > Date.now() - 3_590_000 ? `, messages since ${ago(report.sinceMs)}` : ''}\n`);
  io.out(columns(rowsOf(report)));
  io.out(`\n${slowestText(report)}`);
}

const rowsOf = ({ messages, answers, commits, syncs, eventLoop }: PerformanceReport): readonly string[][] => [
  ['messages', `${messages} accepted, ${answers.count} ended`],
  ['answers', `p50 ${shown(answers.p50Ms)}, p95 ${shown(answers.p95Ms)} from acceptance to end`],
  ['commits', durations(commits)],
  ['syncs', durations(syncs)],
  ['event loop', `delayed p99 ${shown(eventLoop.p99Ms)}, at most ${shown(eventLoop.maxMs)} in the worst minute`],
  [
    'written',
    `${sizeText(eventLoop.writtenBytes)} to disks${
      messages === 0 ? '' : `, ${sizeText(Math.round(eventLoop.writtenBytes / messages))} per message`
    }`,
  ],
];

const durations = ({ count, p50Ms, p99Ms, maxMs }: HourReading): string =>
  count === 0 ? 'none' : `${count}, p50 ${shown(p50Ms)}, p99 ${shown(p99Ms)}, slowest ${shown(maxMs)}`;

const slowestText = ({ slowest }: PerformanceReport): string =>
  listing(
    ['slowest steps', 'took', 'when', 'session'],
    slowest.map(({ stage, detail, ms, at, sessionKey }) => [
      detail === undefined ? stage : cut(`${stage} ${visibleLine(detail)}`, 60),
      shown(ms),
      ago(at),
      visibleLine(sessionKey),
    ]),
    'No step of a message was recorded.',
  );

const shown = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
