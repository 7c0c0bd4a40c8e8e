/**
 * Serves `exec.approval.*`, questions to a person about one command, and `exec.approvals.*`, the file of what is
 * allowed for good.
 */
import {
  APPROVAL_DECISIONS,
  type ApprovalDecision,
  type ApprovalRequest,
  type ApprovalResolution,
  type ApprovalsSnapshot,
} from '../../core/approval.ts';
import { AppError } from '../../core/errors.ts';
import { visibleLine } from '../../core/visible-text.ts';
import {
  execApprovalGetParams,
  execApprovalListParams,
  execApprovalRequestParams,
  execApprovalResolveParams,
  execApprovalsGetParams,
  execApprovalsSetParams,
  execApprovalWaitParams,
  type ExecApprovalRequestParams,
} from '../../protocol/approvals.ts';
import type { ExecApprovalDecided } from '../../protocol/answers/approvals.ts';
import { wireApproval } from '../ws/approval-relay.ts';
import { method, refuse, type Call, type Methods } from './method.ts';

/** Milliseconds. */
const WAIT = { usual: 120_000, most: 3_600_000 };
const MAX_NAME_CHARS = 64;

export const approvalMethods: Methods = {
  'exec.approval.list': method({
    summary: 'Commands that wait for approval, oldest first.',
    needs: 'operator.approvals',
    params: execApprovalListParams,
    run: (_params, { services }) => services.approvals.pending().map(wireApproval),
  }),

  'exec.approval.get': method({
    summary: 'One command that waits for approval.',
    needs: 'operator.approvals',
    params: execApprovalGetParams,
    run({ id }, { services }) {
      const found = services.approvals.pending().find((request) => request.id === id || request.slug === id);
      if (!found) throw unknown(id);
      return wireApproval(found);
    },
  }),

  'exec.approval.resolve': method({
    summary: 'Answers a command that waits: allow-once, allow-always or deny.',
    needs: 'operator.approvals',
    params: execApprovalResolveParams,
    async run({ id, decision, grantExpiresInDays }, call) {
      const answer = APPROVAL_DECISIONS.find((one) => one === decision);
      if (!answer) throw refuse(`decision must be ${APPROVAL_DECISIONS.join(', ')}`);
      if (grantExpiresInDays !== undefined)
        throw new AppError(
          'unsupported',
          'This gateway keeps no permissions for a time: answer without grantExpiresInDays.',
        );
      await call.services.approvals.resolve(id, answer, nameOf(call));
      return { ok: true };
    },
  }),

  'exec.approval.request': method({
    summary: 'Asks a person about a command that runs elsewhere, and answers with the decision.',
    needs: 'operator.approvals',
    params: execApprovalRequestParams,
    async run(params, call) {
      // Without two phases the question belongs to the connection; with them somebody may come back and wait for the
      // decision.
      const signal = params.twoPhase === true ? new AbortController().signal : call.signal;
      const asked = call.services.approvals.ask(questionOf(params, call), {
        timeoutMs: Math.min(params.timeoutMs ?? WAIT.usual, WAIT.most),
        signal,
        id: params.id,
      });
      if ('problem' in asked) throw new AppError('unavailable', asked.problem);
      const { id, createdAt, expiresAt } = asked.request;
      if (params.twoPhase === true)
        call.accepted({ status: 'accepted', id, createdAtMs: createdAt, expiresAtMs: expiresAt });
      return decided(asked.request, await asked.decided);
    },
  }),

  'exec.approval.waitDecision': method({
    summary: 'Waits for the decision on a command somebody was asked about.',
    needs: 'operator.approvals',
    params: execApprovalWaitParams,
    async run({ id }, { services }) {
      const asked = services.approvals.find(id);
      if (!asked) throw unknown(id);
      return decided(asked.request, await asked.decided);
    },
  }),

  'exec.approvals.get': method({
    summary: 'The file of permissions without its secrets, and its hash.',
    needs: 'operator.admin',
    params: execApprovalsGetParams,
    run: async (_params, { services }) => shown(await services.approvals.file()),
  }),

  'exec.approvals.set': method({
    summary: 'Replaces the file of permissions when it is still the one that was read.',
    needs: 'operator.admin',
    params: execApprovalsSetParams,
    run: async ({ file, baseHash }, { services }) => shown(await services.approvals.setFile(file, baseHash)),
  }),
};

/** A file that makes no sense has no shape to show: the error says so, and with its hash it can be replaced. */
function shown({ problem, path, exists, hash, file }: ApprovalsSnapshot): Omit<ApprovalsSnapshot, 'problem'> {
  if (problem !== undefined) throw refuse(problem, { code: 'APPROVALS_FILE_INVALID', path, hash });
  return { path, exists, hash, file };
}

const decided = (
  { id, createdAt, expiresAt }: ApprovalRequest,
  { decision }: ApprovalResolution,
): ExecApprovalDecided => ({
  id,
  decision: APPROVAL_DECISIONS.find((one): one is ApprovalDecision => one === decision) ?? null,
  createdAtMs: createdAt,
  expiresAtMs: expiresAt,
});

/** Who asks and who answers is what the gateway knows of the connection, never what the request says. */
function nameOf({ principal, connection, devices }: Call): string {
  const { deviceId } = connection.peer;
  const name = deviceId === undefined ? undefined : devices.find(deviceId)?.displayName;
  if (name) return visibleLine(name).slice(0, MAX_NAME_CHARS);
  return principal.kind === 'operator' || principal.kind === 'owner' ? 'operator' : principal.kind;
}

function questionOf(
  params: ExecApprovalRequestParams,
  call: Call,
): Omit<ApprovalRequest, 'id' | 'slug' | 'createdAt' | 'expiresAt'> {
  const argv = params.systemRunPlan?.argv ?? params.commandArgv;
  const command = params.command ?? params.systemRunPlan?.commandText ?? argv?.join(' ');
  if (!command) throw refuse('command is required');
  const { nodeId, agentId, sessionKey, resolvedPath, warningText } = params;
  return {
    command,
    agentId: agentId ?? '',
    sessionKey: sessionKey ?? '',
    env: params.env ?? {},
    cwd: params.systemRunPlan?.cwd ?? params.cwd ?? '',
    host: params.host === 'node' || nodeId ? 'node' : 'gateway',
    elevated: false,
    rememberable: !params.unavailableDecisions?.includes('allow-always'),
    steps: argv === undefined ? [] : [{ words: argv, ...(resolvedPath ? { path: resolvedPath } : {}) }],
    reasons: [
      `${nameOf(call)} asks${nodeId ? ` for the node ${nodeId}` : ''}; this gateway has not analysed the command.`,
      ...(warningText ? [warningText] : []),
    ],
  };
}

const unknown = (id: string): AppError => new AppError('not_found', `No approval ${id} waits for an answer.`);
