/** The line about nodes in `status`. Pure. */
import type { NodeView } from './answers.ts';

export function statusOf(nodes: readonly NodeView[]): Readonly<Record<string, unknown>> {
  const paired = nodes.filter((node) => node.paired).length;
  const connected = nodes.filter((node) => node.paired && node.connected).length;
  const waiting = nodes.filter(({ requestId }) => requestId !== undefined).length;
  if (paired + waiting === 0) return {};
  const summary = `${connected} of ${paired} connected${waiting > 0 ? `, ${waiting} waiting for approval` : ''}`;
  return { nodes: { paired, connected, waiting, summary } };
}
