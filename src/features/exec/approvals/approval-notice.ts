/**
 * Notifies the chat of a command that it needs approval, and how to answer; the Control UI and the terminal are
 * notified separately.
 */
import { APPROVAL_DECISIONS, type ApprovalRequest } from '../../../core/approval.ts';
import type { Choice } from '../../../core/choice.ts';
import type { Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import { visibleLine, visibleText } from '../../../core/visible-text.ts';
import type { ProcessOwner } from '../processes/process-spec.ts';
import type { HostChannels } from '../../../host/host.ts';
import { PUBLIC_COMMAND } from '../../../platform/own-command.ts';

export interface ApprovalNoticeDeps {
  readonly channels: Pick<HostChannels, 'isDeliverable' | 'notify'>;
  readonly log: Log;
  /** Where the agent works in this conversation, as an approval names folders. */
  workspaceOf(owner: ProcessOwner): string;
}

export function createApprovalNotice({
  channels,
  log,
  workspaceOf,
}: ApprovalNoticeDeps): (request: ApprovalRequest, owner: ProcessOwner) => void {
  const notify = async (request: ApprovalRequest, owner: ProcessOwner): Promise<void> => {
    const { replyTo, sessionKey, turnId } = owner;
    const text = replyTo.chat.kind === 'direct' ? noticeText(request) : groupNotice(request, workspaceOf(owner));
    await channels.notify(replyTo, {
      token: `approval:${request.id}`,
      runId: turnId,
      sessionKey,
      text,
      choices: { of: choicesOf(request), expiresAt: request.expiresAt, buttonsOnly: true },
    });
  };
  return (request, owner) => {
    if (channels.isDeliverable(owner.replyTo.channel))
      notify(request, owner).catch((error: unknown) => log.error('approval.notice', { id: request.id, error }));
  };
}

/**
 * The whole command, always: what is left out is what would be approved unseen. Nothing in it can pass for a line of
 * ours, or for the chat's own markup.
 */
export function noticeText(request: ApprovalRequest): string {
  return noticeOf(request, `in ${inline(request.cwd)}`);
}

/**
 * For a chat many people read: the command whole, and of the machine around it no folder. Who approves sees those in
 * the Control UI.
 */
export function groupNotice(request: ApprovalRequest, workspace: string): string {
  const { cwd, reasons, remember } = request;
  const within =
    cwd === workspace
      ? 'in the workspace'
      : cwd.startsWith(`${workspace}/`)
        ? `in ${inline(cwd.slice(workspace.length + 1))} of the workspace`
        : `outside the workspace; the Control UI and \`${PUBLIC_COMMAND} approvals\` show where`;
  return noticeOf(
    { ...request, reasons: reasons.map(withoutFolders), ...present({ remember: remember?.map(withoutFolders) }) },
    within,
  );
}

/** `/usr/bin/make` → `make`: of an absolute path its last part. */
const withoutFolders = (text: string): string =>
  text.replaceAll(
    /(?<![\w.~/-])~?\/(?:[^\s'"`:;,()/]+\/)*([^\s'"`:;,()/]*)/g,
    (path, last: string) => last || (path === '/' ? path : 'a folder'),
  );

function noticeOf(
  { slug, command, env, reasons, rememberable, remember = [], createdAt, expiresAt }: ApprovalRequest,
  where: string,
): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [
    `🔐 Approval needed (${slug})`,
    fenced(command),
    where,
    ...(variables.length > 0 ? [`with ${variables.map(inline).join(' ')}`] : []),
    ...reasons.map(visibleLine),
    ...(rememberable && remember.length > 0
      ? [`allow-always also lets this agent run, from now on: ${remember.map(inline).join('; ')}`]
      : []),
    `Answer within ${Math.round((expiresAt - createdAt) / 1000)} s: /approve ${slug} ` +
      `allow-once${rememberable ? ', allow-always' : ''} or deny`,
  ].join('\n');
}

/** The decisions on offer, as they would be typed. */
function choicesOf({ slug, rememberable }: ApprovalRequest): readonly Choice[] {
  const labels = { 'allow-once': 'Allow once', 'allow-always': 'Allow always', deny: 'Deny' } as const;
  return APPROVAL_DECISIONS.filter((decision) => rememberable || decision !== 'allow-always').map((decision) => ({
    label: labels[decision],
    says: `/approve ${slug} ${decision}`,
  }));
}

/** Longer than any row of backticks in it, so that none ends it early. */
const ticks = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([row]) => row.length + 1)));

function fenced(text: string): string {
  const fence = ticks(text, 3);
  return `${fence}\n${visibleText(text)}\n${fence}`;
}

function inline(text: string): string {
  const tick = ticks(text, 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${tick}${pad}${visibleLine(text)}${pad}${tick}`;
}
