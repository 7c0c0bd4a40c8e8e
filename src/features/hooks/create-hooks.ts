/**
 * Work asked for over HTTP: a hook becomes a message of the gateway's own, accepted once, without rights and without a
 * sender; what came of it is told to the main session.
 */
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
import { sha256Hex, uuid } from '../../platform/ids.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { deliveryTarget, ownChat, type DeliveryTargetDeps } from '../../host/delivery-target.ts';
import { createHookReports, type HookReportsDeps } from './hook-reports.ts';
import { head } from '../../core/cut.ts';

export interface HooksDeps extends HookReportsDeps, DeliveryTargetDeps {
  readonly inbox: Pick<Host['inbox'], 'receive' | 'find'>;
  readonly sessions: Pick<Host['sessions'], 'get' | 'patch' | 'keyRules'>;
  readonly agents: Pick<Host['agents'], 'ids' | 'defaultId'>;
  config(): HooksConfig;
  /** The model a person means; undefined when nobody knows it. */
  pickModel(written: string): Promise<{ readonly provider: string; readonly modelId: string } | undefined>;
  /** Channels that are configured and can be written to. */
  channelIds(): readonly string[];
  accepting(): boolean;
  now(): number;
}

export interface Hooks extends HookService {
  /**
   * Takes up what an earlier life left: runs that go on, and ends nobody was told of. After the messages were resumed.
   */
  start(): Promise<void>;
}

export function createHooks(deps: HooksDeps): Hooks {
  return new GatewayHooks(deps);
}

class GatewayHooks implements Hooks {
  readonly #deps: HooksDeps;
  readonly #reports;

  constructor(deps: HooksDeps) {
    this.#deps = deps;
    this.#reports = createHookReports(deps);
  }

  config(): HooksConfig {
    return this.#deps.config();
  }

  async wake({ text, mode, key, sessionKey }: Parameters<HookService['wake']>[0]): Promise<void> {
    mustAccept(this.#deps);
    if (text.trim() === '') throw new AppError('invalid', 'text: must not be blank.');
    const defaultAgentId = this.#deps.agents.defaultId();
    const agentId = agentOf(
      { agentId: sessionKey === undefined ? undefined : parseSessionKey(sessionKey)?.agentId },
      this.#deps,
    );
    const where =
      sessionKey === undefined
        ? mainSessionKey(defaultAgentId, this.#deps.sessions.keyRules())
        : this.#sessionOf(sessionKey, agentId);
    await this.#deps.wake({
      id: `hook:wake:${key === undefined ? uuid() : runIdOf(key)}`,
      agentId,
      sessionKey: where,
      text,
      reason: 'hook:wake',
      mode,
      authority: programAuthority('wake', { agentId, sessionKey: where, address: ownChat(where) }),
      ifSkipped: 'note',
    });
  }

  start(): Promise<void> {
    return this.#reports.start();
  }

  async agent(request: HookAgentRequest): Promise<{ runId: string }> {
    mustAccept(this.#deps);
    const runId = request.key === undefined ? uuid() : runIdOf(request.key);
    // A repeat is answered with what it began, whatever became of model, channel and agent since.
    if (this.#deps.inbox.find(runId)) return { runId };
    const agentId = agentOf(request, this.#deps);
    const sessionKey = this.#sessionOf(request.sessionKey ?? `hook:${runId}`, agentId);
    const model = request.model === undefined ? {} : { model: await modelOf(request.model, this.#deps) };
    const options = {
      ...model,
      ...thinkingOf(request),
      ...(request.timeoutSeconds === undefined ? {} : { timeoutMs: Math.ceil(request.timeoutSeconds * 1000) }),
    };
    const replyTo = await this.#addressOf(request, { agentId, sessionKey });
    if (isOwnSession(sessionKey))
      await this.#deps.sessions.patch(sessionKey, { displayName: `Hook: ${request.name}`, chatType: 'direct' });
    const { row } = await this.#deps.inbox.receive(
      {
        message: {
          id: `hook:${runId}`,
          address: replyTo,
          sender: { id: 'hook', name: 'hook' },
          system: true,
          said: NOTHING_SAID,
          text: `[hook ${request.name}] ${request.message}`,
          attachments: [],
          addressesBot: true,
          receivedAt: this.#deps.now(),
        },
        route: { agentId, sessionKey, matchedBy: 'session', replyTo },
        trigger: {
          origin: 'webhook',
          hook: request.hook,
          name: request.name,
          ...(request.wakeMode === 'now' ? { wake: true } : {}),
        },
        options,
        queue: 'followup',
        commands: false,
        authority: programAuthority(request.name, { agentId, sessionKey, address: replyTo }),
      },
      runId,
    );
    this.#reports.follow(row);
    return { runId: row.runId };
  }

  targets(): readonly string[] {
    return [LAST, ...this.#deps.channelIds()];
  }

  #rulesFor(agentId: string) {
    return { ...this.#deps.sessions.keyRules(), defaultAgentId: agentId };
  }

  #sessionOf(wanted: string, agentId: string): SessionKey {
    const key = canonicalSessionKey(wanted, this.#rulesFor(agentId));
    if (agentOfKey(key, this.#rulesFor(agentId)) !== agentId)
      throw new AppError(
        'invalid',
        `sessionKey: ${key} belongs to another agent than "${agentId}"; name that one as agentId.`,
      );
    return key;
  }

  /** Decided before the turn: an answer nobody could deliver is not worth one. */
  async #addressOf(
    request: HookAgentRequest,
    { agentId, sessionKey }: { readonly agentId: string; readonly sessionKey: SessionKey },
  ): Promise<ChatAddress> {
    const channel = request.channel.trim().toLowerCase();
    if (channel === INSIDE) return ownChat(sessionKey);
    const named = channel === '' || channel === LAST ? undefined : this.#deps.channelId(channel);
    if (channel !== '' && channel !== LAST && named === undefined)
      throw new AppError(
        'invalid',
        `channel: "${head(request.channel, 64)}" is unknown or not configured; use one of ${this.targets().join(', ')}.`,
      );
    if (!request.deliver) return ownChat(sessionKey);
    const entry: SessionEntry | undefined = await this.#deps.sessions.get(
      mainSessionKey(agentId, this.#rulesFor(agentId)),
    );
    const found = deliveryTarget({ channel: named, to: request.to }, entry, this.#deps);
    if (found) return found;
    if (named !== undefined)
      throw new AppError('invalid', `to: name a chat; nobody wrote to this agent from ${named} yet.`);
    return ownChat(sessionKey);
  }
}

/** The first means the product's own surface, which shows its sessions and is written to in no other way. */
const [INSIDE, LAST] = ['webchat', 'last'];

function mustAccept({ accepting }: HooksDeps): void {
  if (!accepting())
    throw new AppError('unavailable', 'The gateway is starting, stopping or restarting; send again in a moment.', {
      retryAfterMs: 1000,
    });
}

/** The same in every life, and not to be chosen by who calls: no key can name somebody else's run. */
const runIdOf = (key: string): string => `hook-${sha256Hex(`hook\0${key}`).slice(0, 32)}`;

const isOwnSession = (key: SessionKey): boolean => parseSessionKey(key)?.rest.startsWith('hook:') ?? false;

function agentOf({ agentId }: Pick<HookAgentRequest, 'agentId'>, { agents }: HooksDeps): string {
  const id = agentId ?? agents.defaultId();
  if (!agents.ids().includes(normaliseAgentId(id)))
    throw new AppError('invalid', `agentId: there is no agent "${id}"; there are ${agents.ids().join(', ')}.`);
  return id;
}

async function modelOf(written: string, { pickModel }: HooksDeps): Promise<string> {
  const found = await pickModel(written);
  if (!found) throw new AppError('invalid', `model: nobody knows the model "${head(written, 100)}".`);
  return `${found.provider}/${found.modelId}`;
}

function thinkingOf({ thinking }: HookAgentRequest): { thinking?: ThinkingLevel } {
  if (thinking === undefined) return {};
  const level = THINKING_LEVELS.find((known) => known === thinking);
  if (level === undefined) throw new AppError('invalid', `thinking: use one of ${THINKING_LEVELS.join(', ')}.`);
  return { thinking: level };
}
