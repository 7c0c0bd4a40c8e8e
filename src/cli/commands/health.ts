/** `health`: what the running gateway reports of itself; exit code 1 when it is not well. */
import type { Call } from '../command.ts';
import { columns } from '../columns.ts';

interface HealthReport { readonly ok: boolean; readonly durationMs?: number }

export async function health(call: Call): Promise<number> {
  const link = await call.gateway();
  const report = await link.request<HealthReport & Record<string, unknown>>('health', {});
  if (call.flags.has('json')) call.io.out(JSON.stringify(report, null, 2));
  else call.io.out(columns(Object.entries(report).flatMap(([name, value]) => lines(name, value))));
  return report.ok ? 0 : 1;
}

/** Channels in a person's words, one a line; their order and labels are part of that. */
function lines(name: string, value: unknown): readonly (readonly string[])[] {
  if (name === 'channelOrder' || name === 'channelLabels') return [];
  if (name === 'channels') return Object.values(value as Record<string, { readonly summary: string }>).map(({ summary }, index) => [index === 0 ? name : '', summary]);
  return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
}
