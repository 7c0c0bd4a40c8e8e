/** `/bash`: runs a person's command under the same policy, sandbox, approvals and rights as the agent's. */
import type { Models } from '../../agent/models/create-models.ts';
import { sendersOf } from '../../core/authority.ts';
import { AppError } from '../../core/errors.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { ProcessView, Shell, ShellOutcome } from '../../core/shell.ts';
import { visibleText } from '../../core/visible-text.ts';
import type { CommandCall } from '../commands/command-call.ts';
import type { BashRequest } from '../commands/command-host.ts';
import { ensureDir } from '../../platform/files.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { Workplace } from '../../host/tool-environment.ts';
import type { ToolBounds } from '../../agent/environment/tool-bounds.ts';
import type { Toolbox } from '../../agent/toolbox/toolbox.ts';
import { modelOverride } from '../../sessions/model-override.ts';

export interface BashServiceDeps {
  readonly models: Pick<Models, 'choose'>;
  readonly sessions: Pick<Sessions, 'get' | 'agentOf'>;
  readonly toolbox: Toolbox;
  readonly toolBounds: ToolBounds;
  place(at: { readonly agentId: string; readonly sessionKey: string }): Workplace;
  /** Ends with the gateway. */
  going(): AbortSignal;
}

/** What a chat is shown of the output. */
const SHOWN = 3000;

export function createBashService(deps: BashServiceDeps) {
  async function shellOf({ row, sessionKey }: CommandCall): Promise<Shell> {
    const agentId = deps.sessions.agentOf(sessionKey);
    const entry = await deps.sessions.get(sessionKey);
    const [model] = await deps.models.choose(agentId, entry && modelOverride(entry));
    const place = deps.place({ agentId, sessionKey });
    const route = {
      agentId,
      sessionKey: sessionKey as SessionKey,
      matchedBy: 'session',
      replyTo: row.message.address,
    } as const;
    const { tools } = deps.toolbox.of({
      route,
      senders: sendersOf(row.authority),
      model: model!,
      describesPictures: false,
      sandbox: place.sandbox,
    });
    if (!tools.some(({ name }) => name === 'bash'))
      throw new AppError(
        'denied',
        `the tool policy does not allow \`bash\` here; \`${PUBLIC_COMMAND} tools explain bash\` shows why.`,
      );
    await ensureDir(place.workspace);
    const { shell } = deps.toolBounds
      .of({ turn: { id: row.runId, route, options: {}, authority: row.authority }, entry, place, tools })
      .of(row.runId);
    if (!shell) throw new AppError('unsupported', 'this conversation has no shell.');
    return shell;
  }

  return async (call: CommandCall, request: BashRequest): Promise<string> => {
    const shell = await shellOf(call);
    if ('command' in request)
      return describeOutcome(
        await shell.run({ command: request.command }, { signal: deps.going(), progress: () => undefined }),
      );
    if ('stop' in request) {
      if (request.stop === undefined) return `⚠️ Give the session to stop. ${await running(shell)}`;
      const ended = await shell.processes.kill(request.stop);
      return typeof ended === 'string' ? `⚠️ ${request.stop}: ${ended}.` : `⚙️ Stopped ${request.stop}.`;
    }
    if (request.poll === undefined) return `⚙️ ${await running(shell)}`;
    const news = await shell.processes.poll(request.poll, { waitMs: 0, signal: deps.going() });
    return typeof news === 'string' ? `⚠️ ${request.poll}: ${news}.` : `⚙️ ${stands(news.view)}${block(news.output)}`;
  };
}

async function running(shell: Shell): Promise<string> {
  const all = await shell.processes.list();
  return all.length === 0 ? 'No command runs in the background.' : all.map(stands).join('\n');
}

const stands = ({ sessionId, name, status, exitCode }: ProcessView): string =>
  `${sessionId} (${name}): ${status}${exitCode === undefined ? '' : `, code ${exitCode}`}`;

function describeOutcome(outcome: ShellOutcome): string {
  switch (outcome.kind) {
    case 'refused':
      return `⚠️ ${outcome.message}`;
    case 'waiting':
      return `⚙️ The command needs approval ${outcome.request.slug} and runs in the background once it is approved.`;
    case 'running':
      return `⚙️ Still running: /bash poll ${outcome.view.sessionId}`;
    case 'elsewhere':
      return '⚠️ Commands of this conversation run on a node (tools.exec.host), and /bash runs none there. Ask the agent.';
    case 'ended':
      return (
        '⚙️ ' +
        `${outcome.view.exitCode === undefined ? outcome.view.status : `Code ${outcome.view.exitCode}`}${block(outcome.output)}`
      );
  }
}

/** Longer than any row of backticks in it, so that none ends it early; the end is what tells how it went. */
function block(output: string): string {
  const text = visibleText(output.trim());
  if (text === '') return '';
  const shown = text.length > SHOWN ? `…${text.slice(-SHOWN).replace(/^[\udc00-\udfff]/, '')}` : text;
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([row]) => row.length + 1)));
  return `\n${fence}\n${shown}\n${fence}`;
}
