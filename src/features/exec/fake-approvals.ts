/** Approvals behind the wire: the real queue, and a file in memory. */
import { silentLog } from '../../core/log.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { createPending, type ApprovalQuestion } from './approvals/pending.ts';
import type { ApprovalService } from './exec-service.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/ids.ts';

export interface FakeApprovals extends ApprovalService {
  /** What the file is on disk; undefined: there is none. */
  text: string | undefined;
  /** Set: the file makes no sense. */
  problem: string | undefined;
}

export function createFakeApprovals(clock: Clock = systemClock): FakeApprovals {
  const pending = createPending({ clock, log: silentLog });
  const approvals: FakeApprovals = {
    text: undefined,
    problem: undefined,
    pending: () => pending.list(),
    ask: pending.ask,
    find: pending.find,
    resolve: async (id, decision, by) => pending.resolve(id, decision, by),
    subscribe: pending.subscribe,
    file: async () => ({
      path: '/fake/exec-approvals.json',
      exists: approvals.text !== undefined,
      hash: sha256Hex(approvals.text ?? ''),
      file:
        approvals.text === undefined || approvals.problem !== undefined
          ? { version: 1 }
          : (JSON.parse(approvals.text) as Record<string, unknown>),
      ...present({ problem: approvals.problem }),
    }),
    async setFile(file, baseHash) {
      if (baseHash !== sha256Hex(approvals.text ?? ''))
        throw new AppError('conflict', 'The approvals file changed since it was read.');
      approvals.text = JSON.stringify(file);
      approvals.problem = undefined;
      return approvals.file();
    },
  };
  return approvals;
}

/** A command a model might ask for. */
export const sampleQuestion = (patch: Partial<ApprovalQuestion> = {}): ApprovalQuestion => ({
  agentId: 'main',
  sessionKey: 'agent:main:main',
  host: 'gateway',
  command: 'git push origin main',
  cwd: '/home/ada/clawd',
  env: { STAGE: 'prod' },
  steps: [
    { words: ['git', 'push', 'origin', undefined], path: '/usr/bin/git', why: '/usr/bin/git is not in the allowlist.' },
  ],
  reasons: ['/usr/bin/git is not in the allowlist.'],
  rememberable: true,
  elevated: false,
  ...patch,
});
