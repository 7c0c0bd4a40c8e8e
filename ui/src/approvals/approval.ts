/** A command that waits for approval, as the page stores it. Pure. */
import { cut } from '../../../src/core/cut.ts';

import type { ApprovalRequested, ApprovalResolved } from '../gateway/wire.ts';

export interface Approval extends Omit<ApprovalRequested['request'], 'remember'> {
  readonly id: string;
  readonly slug: string;
  /** What "always" would add to the allowlist, one line each. */
  readonly remember: readonly string[];
  /** By the clock of this page, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly totalMs: number;
}
export type Step = Approval['steps'][number];

export type Decision = 'allow-once' | 'allow-always' | 'deny';
export type Resolution = Pick<ApprovalResolved, 'id' | 'decision' | 'resolvedBy'>;

/**
 * `fresh`: requested just now, so the full time is left even if one of the clocks is wrong. Otherwise the clock of the
 * gateway is used, but never for longer than the full time.
 */
export function readApproval(event: ApprovalRequested, now: number, fresh: boolean): Approval {
  const { id, slug, request, createdAtMs, expiresAtMs } = event;
  const totalMs = Math.max(1000, expiresAtMs - createdAtMs);
  const left = fresh ? totalMs : Math.min(totalMs, Math.max(0, expiresAtMs - now));
  return {
    ...request,
    id,
    slug,
    totalMs,
    deadline: now + left,
    remember: [...new Set(request.remember)],
  };
}

/** Each approval once, however often it is reported; oldest first. */
export const withApproval = (pending: readonly Approval[], approval: Approval): readonly Approval[] =>
  pending.some(({ id }) => id === approval.id) ? pending : [...pending, approval];

export const withoutApproval = (pending: readonly Approval[], id: string): readonly Approval[] =>
  pending.filter((approval) => approval.id !== id);

const DONE: Readonly<Record<Resolution['decision'], string>> = {
  'allow-once': 'Allowed once',
  'allow-always': 'Always allowed',
  deny: 'Denied',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
};

/** `Denied by telegram 4711: git push` */
export function resolutionWords(resolution: Resolution, approval: Approval | undefined): string {
  const who = resolution.resolvedBy ? ` by ${resolution.resolvedBy}` : '';
  return `${DONE[resolution.decision]}${who}${approval ? `: ${brief(approval.command)}` : ''}`;
}

const BRIEF = 60;
/** For a strip or a toast only; the approval itself always shows the whole command. */
export function brief(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return cut(line, BRIEF);
}

/**
 * Only a proven command lists what "always" would add. In a command that is not proven, a step without an objection is
 * not necessarily safe.
 */
export const isProven = ({ rememberable, remember }: Approval): boolean => rememberable && remember.length > 0;

export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds} s left` : `${Math.floor(seconds / 60)} min ${seconds % 60} s left`;
}

/** `4 lines, 320 characters`; undefined for a short command. */
export function extent(command: string): string | undefined {
  const lines = command.split('\n').length;
  return lines < 2 && command.length < 160
    ? undefined
    : `${lines > 1 ? `${lines} lines, ` : ''}${command.length.toLocaleString('en')} characters`;
}
