/** The public view of a process, from its record and output. Pure. */
import { present } from '../../../core/present.ts';
import type { ProcessView } from '../../../core/shell.ts';
import { nameOf } from '../output/name.ts';
import { statusOf } from './outcome.ts';
import type { ProcessOutput } from './process-output.ts';
import type { ProcessRecord } from './process-record.ts';

export interface ViewFacts {
  readonly record: ProcessRecord;
  readonly output: ReturnType<ProcessOutput['facts']>;
  readonly now: number;
  /** Its group without itself, after it ended. */
  readonly group: readonly { readonly pid: number; readonly name: string }[];
}

export function viewOf({ record, output, now, group }: ViewFacts): ProcessView {
  const { outcome, holder, timeoutMs, daemons } = record;
  const leftBehind = [...group, ...daemons].map(({ pid, name }) => ({ pid, name }));
  const endedAt = record.over ? outcome?.at : undefined;
  return present({
    sessionId: record.id,
    status: statusOf(record),
    command: record.command,
    name: nameOf(record.command),
    cwd: record.cwd,
    host: record.host,
    pty: record.pty,
    sessionKey: record.owner.sessionKey,
    startedAt: record.startedAt,
    runtimeMs: Math.max(0, (endedAt ?? now) - record.startedAt),
    pid: holder?.pid,
    endedAt,
    exitCode: outcome?.exitCode,
    exitSignal: outcome?.exitSignal,
    endReason: outcome?.reason,
    timeoutSeconds: timeoutMs > 0 ? timeoutMs / 1000 : undefined,
    tail: output.tail,
    outputBytes: output.bytes,
    truncated: output.dropped > 0 || record.diskFull,
    stdinWritable: outcome === undefined && !record.inputClosed,
    idleMs: Math.max(0, Math.round(now - Math.max(output.writtenAt ?? 0, record.startedAt))),
    leftBehind: leftBehind.length > 0 ? leftBehind : undefined,
  });
}
