/** Tracks pending approvals: requested, answered, expired; and marks the browser tab. */
import type { App } from '../app.ts';
import { toast } from '../elements/toast.ts';
import { isDisconnected, messageOf, RequestError } from '../gateway/requests.ts';
import type { ApprovalRequested, EventFrame } from '../gateway/wire.ts';
import {
  readApproval,
  resolutionWords,
  withApproval,
  withoutApproval,
  type Approval,
  type Decision,
  type Resolution,
} from './approval.ts';
import './conversation-approvals.ts';
import './approval-strip.ts';
import './approvals.css';
import { markTab } from './tab-mark.ts';

export type { Approval } from './approval.ts';

const DONE: Readonly<Record<Decision, string>> = {
  'allow-once': 'Allowed once',
  'allow-always': 'Always allowed',
  deny: 'Denied',
};

export class ApprovalService {
  #app: App;
  /** Approvals answered on this page, whose end needs no message. */
  #mine = new Set<string>();

  constructor(app: App) {
    this.#app = app;
    app.approvals.subscribe(() => markTab(app.approvals.get().length));
  }

  onEvent({ event, payload }: EventFrame): void {
    const { approvals } = this.#app;
    if (event === 'exec.approval.requested')
      return approvals.update((pending) =>
        withApproval(pending, readApproval(payload as ApprovalRequested, Date.now(), true)),
      );
    if (event !== 'exec.approval.resolved') return;
    const resolution = payload as Resolution;
    const approval = approvals.get().find(({ id }) => id === resolution.id);
    approvals.update((pending) => withoutApproval(pending, resolution.id));
    if (approval && !this.#mine.delete(resolution.id)) toast(resolutionWords(resolution, approval));
  }

  /** Replaces the list after a reconnect. Approvals that are still pending keep their time. */
  reset(list: readonly ApprovalRequested[]): void {
    const before = new Map(this.#app.approvals.get().map((approval) => [approval.id, approval]));
    this.#app.approvals.set(
      list
        .map((request) => readApproval(request, Date.now(), false))
        .map((approval) => before.get(approval.id) ?? approval),
    );
  }

  /** False if it is still pending: the connection is lost, or the gateway refused. */
  async decide(approval: Approval, decision: Decision): Promise<boolean> {
    const { id } = approval;
    this.#mine.add(id);
    try {
      await this.#app.request('exec.approval.resolve', { id, decision });
      toast(DONE[decision]);
    } catch (cause) {
      this.#mine.delete(id);
      toast(
        isDisconnected(cause) ? 'Not connected. The command is still waiting for approval.' : messageOf(cause),
        'bad',
      );
      if (!isOver(cause)) return false;
    }
    this.#app.approvals.update((pending) => withoutApproval(pending, id));
    return true;
  }
}

/** It was answered by somebody else, or it expired. */
const isOver = (cause: unknown): boolean =>
  cause instanceof RequestError &&
  ['not_found', 'conflict'].includes((cause.details as { reason?: string } | undefined)?.reason ?? '');
