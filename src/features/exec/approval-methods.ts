/** Serves `exec.approval.*`, approval requests for one command, and `exec.approvals.*`, the approvals file. */
import {
  APPROVAL_DECISIONS,
  type ApprovalDecision,
  type ApprovalRequest,
  type ApprovalResolution,
  type ApprovalsSnapshot,
} from '../../core/approval.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
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
} from './approval-params.ts';
import type { ExecApprovalDecided } from '../../protocol/answers/approvals.ts';
import { defineMethods, refuse, type MethodCall, type MethodWorks } from '../../host/method.ts';
import type { ApprovalService } from './exec-service.ts';
import { wireApproval } from './wire.ts';
import { head } from '../../core/cut.ts';

/** Milliseconds. */
const WAIT = { usual: 120_000, max: 3_600_000 };
const MAX_NAME_CHARS = 64;

export const approvalSpecs = defineMethods({
  'exec.approval.list': {
    summary: 'Lists pending approvals, oldest first.',
    needs: 'operator.approvals',
    params: execApprovalListParams,
  },
  'exec.approval.get': {
    summary: 'Returns one pending approval.',
    needs: 'operator.approvals',
    params: execApprovalGetParams,
  },
  'exec.approval.resolve': {
    summary: 'Answers an approval: allow-once, allow-always or deny.',
    needs: 'operator.approvals',
    params: execApprovalResolveParams,
  },
  'exec.approval.request': {
    summary: 'Requests approval for a command that runs elsewhere, and returns the decision.',
    needs: 'operator.approvals',
    params: execApprovalRequestParams,
  },
  'exec.approval.waitDecision': {
    summary: 'Waits for the decision on an approval.',
    needs: 'operator.approvals',
    params: execApprovalWaitParams,
  },
  'exec.approvals.get': {
    summary: 'Returns the approvals file without its secrets, and its hash.',
    needs: 'operator.admin',
    params: execApprovalsGetParams,
  },
  'exec.approvals.set': {
    summary: 'Replaces the approvals file if it was not changed since it was read.',
    needs: 'operator.admin',
    params: execApprovalsSetParams,
  },
});

export const approvalMethods = (approvals: ApprovalService): MethodWorks<typeof approvalSpecs> => ({
  'exec.approval.list': () => approvals.pending().map(wireApproval),

  'exec.approval.get'({ id }) {
    const found = approvals.pending().find((request) => request.id === id || request.slug === id);
    if (!found) throw unknown(id);
    return wireApproval(found);
  },

  async 'exec.approval.resolve'({ id, decision, grantExpiresInDays }, call) {
    const answer = APPROVAL_DECISIONS.find((one) => one === decision);
    if (!answer) throw refuse(`decision must be ${APPROVAL_DECISIONS.join(', ')}`);
    if (grantExpiresInDays !== undefined)
      throw new AppError(
        'unsupported',
        'This gateway does not support expiring permissions: leave out grantExpiresInDays.',
      );
    await approvals.resolve(id, answer, nameOf(call));
    return { ok: true };
  },

  async 'exec.approval.request'(params, call) {
    // Without two phases the question belongs to the connection; with them somebody may come back and wait for the
    // decision.
    const signal = params.twoPhase === true ? new AbortController().signal : call.signal;
    const approval = approvals.ask(questionOf(params, call), {
      timeoutMs: Math.min(params.timeoutMs ?? WAIT.usual, WAIT.max),
      signal,
      id: params.id,
    });
    if ('problem' in approval) throw new AppError('unavailable', approval.problem);
    const { id, createdAt, expiresAt } = approval.request;
    if (params.twoPhase === true)
      call.accepted({ status: 'accepted', id, createdAtMs: createdAt, expiresAtMs: expiresAt });
    return decided(approval.request, await approval.decided);
  },

  async 'exec.approval.waitDecision'({ id }) {
    const approval = approvals.find(id);
    if (!approval) throw unknown(id);
    return decided(approval.request, await approval.decided);
  },

  'exec.approvals.get': async () => shown(await approvals.file()),

  'exec.approvals.set': async ({ file, baseHash }) => shown(await approvals.setFile(file, baseHash)),
});

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
function nameOf({ principal, deviceName }: MethodCall): string {
  if (deviceName) return head(visibleLine(deviceName), MAX_NAME_CHARS);
  return principal.kind === 'operator' || principal.kind === 'owner' ? 'operator' : principal.kind;
}

function questionOf(
  params: ExecApprovalRequestParams,
  call: MethodCall,
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
    steps: argv === undefined ? [] : [present({ words: argv, path: resolvedPath || undefined })],
    reasons: [
      `${nameOf(call)} asks${nodeId ? ` for the node ${nodeId}` : ''}; the command was not analyzed by this gateway.`,
      ...(warningText ? [warningText] : []),
    ],
  };
}

const unknown = (id: string): AppError => new AppError('not_found', `No pending approval ${id}.`);
