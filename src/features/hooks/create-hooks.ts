/**
 * Executes hooks: a hook becomes a message from the gateway, accepted once, without rights and without a sender; its
 * result is noted in the main session.
 */
import { OWN_CHANNEL } from '../../core/product.ts';
import { NOTHING_SAID } from '../../core/said.ts';
import { programAuthority } from '../../core/authority.ts';
import { AppError } from '../../core/errors.ts';
import type { ChatAddress } from '../../core/message.ts';
import {
  agentOfKey,
  canonicalSessionKey,
  mainSessionKey,
  normaliseAgentId,
  parseSessionKey,
  type SessionKey,
} from '../../core/session-key.ts';
import { THINKING_LEVELS, type ThinkingLevel } from '../../core/turn.ts';
import type { HooksConfig } from './config.ts';
import type { HookAgentRequest, HookService } from './hook-service.ts';
import type { Host } from '../../host/host.ts';
import { sha256Hex, sortedUuid, uuid } from '../../platform/ids.ts';
import type { Accepted } from '../../journal/rows.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { deliveryTarget, ownChat } from '../../host/delivery-target.ts';
import { createHookReports, type HookReportsDeps } from './hook-reports.ts';
import { head } from '../../core/cut.ts';
import { present } from '../../core/present.ts';

/** What hooks act on. */
export interface HooksDeps extends HookReportsDeps {
  readonly inbox: Pick<Host['inbox'], 'receive' | 'find'>;
  readonly sessions: Pick<Host['sessions'], 'get' | 'patch' | 'keyRules'>;
  readonly agents: Pick<Host['agents'], 'ids' | 'defaultId' | 'pickModel'>;
  readonly channels: Pick<Host['channels'], 'ids' | 'channelId' | 'resolve'>;
  config(): HooksConfig;
  accepting(): boolean;
  now(): number;
}

export interface Hooks extends HookService {
  /**
   * Takes up what an earlier run left: runs that go on, and ends nobody was told of. After the messages were resumed.
   */
  start(): Promise<void>;
}

export function createHooks(deps: HooksDeps): Hooks {
  const reports = createHookReports(deps);
  return {
    targets: () => targets(deps),
    config: deps.config,

    async agent(request) {
      mustAccept(deps);
      const runId = request.key === undefined ? sortedUuid() : runIdOf(request.key);
      // A repeat is answered with what it began, whatever became of model, channel and agent since.
      if (await deps.inbox.find(runId)) return { runId };
      const accepted = await agentWork(request, runId, deps);
      const { row } = await deps.inbox.receive(accepted, runId);
      reports.follow(row);
      return { runId: row.runId };
    },

    async wake({ text, mode, key, sessionKey }) {
      mustAccept(deps);
      if (text.trim() === '') throw new AppError('invalid', 'text: must not be blank.');
      const home = wakeHome(sessionKey, deps);
      await deps.wake({
        ...home,
        id: `hook:wake:${key === undefined ? uuid() : runIdOf(key)}`,
        text,
        reason: 'hook:wake',
        mode,
        authority: programAuthority('wake', { ...home, address: ownChat(home.sessionKey) }),
        ifSkipped: 'note',
      });
    },

    start: () => reports.start(),
  };
}

/** Whose work it is, and in which conversation. */
interface HookHome {
  readonly agentId: string;
  readonly sessionKey: SessionKey;
}

/** The message that becomes the turn; everything it names is looked up before it is accepted. */
async function agentWork(request: HookAgentRequest, runId: string, deps: HooksDeps): Promise<Accepted> {
  const agentId = agentOf(request, deps);
  const sessionKey = sessionOf(request.sessionKey ?? `hook:${runId}`, agentId, deps);
  const options = await optionsOf(request, deps);
  const replyTo = await addressOf(request, { agentId, sessionKey }, deps);
  if (isOwnSession(sessionKey))
    await deps.sessions.patch(sessionKey, { displayName: `Hook: ${request.name}`, chatType: 'direct' });
  return {
    message: {
      id: `hook:${runId}`,
      address: replyTo,
      sender: { id: 'hook', name: 'hook' },
      system: true,
      said: NOTHING_SAID,
      text: `[hook ${request.name}] ${request.message}`,
      attachments: [],
      addressesBot: true,
      receivedAt: deps.now(),
    },
    route: { agentId, sessionKey, matchedBy: 'session', replyTo },
    trigger: present({
      origin: 'webhook',
      hook: request.hook,
      name: request.name,
      wake: request.wakeMode === 'now' ? true : undefined,
    }),
    options,
    queue: 'followup',
    commands: false,
    authority: programAuthority(request.name, { agentId, sessionKey, address: replyTo }),
  };
}

async function optionsOf(request: HookAgentRequest, deps: HooksDeps): Promise<Accepted['options']> {
  const { model, timeoutSeconds } = request;
  return {
    ...present({ model: model === undefined ? undefined : await modelOf(model, deps) }),
    ...thinkingOf(request),
    ...present({ timeoutMs: timeoutSeconds !== undefined ? Math.ceil(timeoutSeconds * 1000) : undefined }),
  };
}

/** Decided before the turn: an answer nobody could deliver is not worth one. */
async function addressOf(
  request: HookAgentRequest,
  { agentId, sessionKey }: HookHome,
  deps: HooksDeps,
): Promise<ChatAddress> {
  const { sessions, channels } = deps;
  const channel = request.channel.trim().toLowerCase();
  if (channel === INSIDE) return ownChat(sessionKey);
  const named = channel === '' || channel === LAST ? undefined : channels.channelId(channel);
  if (channel !== '' && channel !== LAST && named === undefined)
    throw new AppError(
      'invalid',
      `channel: "${head(request.channel, 64)}" is unknown or not configured; use one of ${targets(deps).join(', ')}.`,
    );
  if (!request.deliver) return ownChat(sessionKey);
  const entry: SessionEntry | undefined = await sessions.get(mainSessionKey(agentId, rulesFor(agentId, deps)));
  const found = deliveryTarget({ channel: named, to: request.to }, entry, channels);
  if (found) return found;
  if (named !== undefined)
    throw new AppError('invalid', `to: give a chat; nobody has written to this agent from ${named} yet.`);
  return ownChat(sessionKey);
}

/** The conversation a hook wakes: the one it names, else the main one of the default agent. */
function wakeHome(wanted: string | undefined, deps: HooksDeps): HookHome {
  const named = wanted === undefined ? undefined : parseSessionKey(wanted)?.agentId;
  const agentId = agentOf({ agentId: named }, deps);
  const sessionKey =
    wanted === undefined
      ? mainSessionKey(deps.agents.defaultId(), deps.sessions.keyRules())
      : sessionOf(wanted, agentId, deps);
  return { agentId, sessionKey };
}

const rulesFor = (agentId: string, { sessions }: HooksDeps) => ({ ...sessions.keyRules(), defaultAgentId: agentId });

function sessionOf(wanted: string, agentId: string, deps: HooksDeps): SessionKey {
  const rules = rulesFor(agentId, deps);
  const key = canonicalSessionKey(wanted, rules);
  if (agentOfKey(key, rules) === agentId) return key;
  throw new AppError(
    'invalid',
    `sessionKey: ${key} belongs to another agent than "${agentId}"; set agentId to that agent.`,
  );
}

const targets = ({ channels }: HooksDeps): readonly string[] => [LAST, ...channels.ids()];

/** The first means the product's own surface, which shows its sessions and is written to in no other way. */
const [INSIDE, LAST] = [OWN_CHANNEL, 'last'];

function mustAccept({ accepting }: HooksDeps): void {
  if (!accepting())
    throw new AppError('unavailable', 'The gateway is starting, stopping or restarting; send again in a moment.', {
      retryAfterMs: 1000,
    });
}

/** The same in every run, and not to be chosen by who calls: no key can name somebody else's run. */
const runIdOf = (key: string): string => `hook-${sha256Hex(`hook\0${key}`).slice(0, 32)}`;

const isOwnSession = (key: SessionKey): boolean => parseSessionKey(key)?.rest.startsWith('hook:') ?? false;

function agentOf({ agentId }: Pick<HookAgentRequest, 'agentId'>, { agents }: HooksDeps): string {
  const id = agentId ?? agents.defaultId();
  if (!agents.ids().includes(normaliseAgentId(id)))
    throw new AppError('invalid', `agentId: unknown agent "${id}"; use one of ${agents.ids().join(', ')}.`);
  return id;
}

async function modelOf(written: string, { agents }: HooksDeps): Promise<string> {
  const found = await agents.pickModel(written);
  if (!found) throw new AppError('invalid', `model: unknown model "${head(written, 100)}".`);
  return `${found.provider}/${found.modelId}`;
}

function thinkingOf({ thinking }: HookAgentRequest): { thinking?: ThinkingLevel } {
  if (thinking === undefined) return {};
  const level = THINKING_LEVELS.find((known) => known === thinking);
  if (level === undefined) throw new AppError('invalid', `thinking: use one of ${THINKING_LEVELS.join(', ')}.`);
  return { thinking: level };
}
