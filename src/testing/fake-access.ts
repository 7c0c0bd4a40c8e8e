/** Pairing requests and an open access gate, in memory. */
import { AppError } from '../core/errors.ts';
import type { Authority } from '../core/authority.ts';
import { explainAct, extentsOf, readAct, readResource, requesterView } from '../core/explain-access.ts';
import { present } from '../core/present.ts';
import { mainSessionKey } from '../core/session-key.ts';
import type { Route } from '../core/route.ts';
import type {
  AccessService,
  Hypothetical,
  PairingRequestView,
  PairingService,
  RouteExplanation,
  SeenMessage,
} from '../host/channel-services.ts';

export interface FakePairing extends PairingService {
  /** Somebody asks. */
  ask(request: PairingRequestView): void;
}

export function createFakePairing(): FakePairing {
  const open: PairingRequestView[] = [];
  const approved: { channel: string; id: string }[] = [];
  const listeners = new Set<Parameters<PairingService['subscribe']>[0]>();
  const take = (channel: string, code: string, decision: 'approved' | 'rejected'): PairingRequestView => {
    const at = open.findIndex((request) => request.channel === channel && request.code === code);
    if (at < 0) throw new AppError('not_found', `No pending request with that code on ${channel}.`);
    const [request] = open.splice(at, 1);
    if (decision === 'approved') approved.push({ channel, id: request!.id });
    for (const listener of listeners) listener({ resolved: request!, decision });
    return request!;
  };
  return {
    ask(request) {
      open.push(request);
      for (const listener of listeners) listener({ requested: request });
    },
    list: async (channel) => open.filter((request) => channel === undefined || request.channel === channel),
    approve: async (channel, code) => take(channel, code, 'approved'),
    reject: async (channel, code) => take(channel, code, 'rejected'),
    approved: async (channel) => approved.filter((one) => one.channel === channel).map(({ id }) => ({ id })),
    async revoke(channel, id) {
      const at = approved.findIndex((one) => one.channel === channel && one.id === id);
      if (at >= 0) approved.splice(at, 1);
      return at >= 0;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const memberIn = (
  { agentId, sessionKey, replyTo }: Route,
  { channel, accountId = 'default', senderId = 'u1' }: Hypothetical,
): Authority => ({
  requester: { kind: 'people', channel, accountId, ids: [senderId], commands: true },
  rights: [],
  home: { agentId, sessionKey, address: replyTo },
  hands: [],
});

export function createFakeAccess(seen: readonly SeenMessage[] = []): AccessService {
  const route = async ({
    channel,
    accountId = 'default',
    chatKind = 'direct',
    chatId = 'c1',
  }: Hypothetical): Promise<RouteExplanation> => {
    const sessionKey = mainSessionKey('main');
    return {
      route: {
        agentId: 'main',
        sessionKey,
        matchedBy: 'default',
        replyTo: { channel, accountId, chat: { kind: chatKind, id: chatId } },
      },
      bindings: [],
      sessionKeys: [sessionKey],
    };
  };
  return {
    route,
    async access(message) {
      const explained = await route(message);
      const authority = memberIn(explained.route, message);
      const { kind } = readResource(message.resource ?? '');
      return {
        ...explained,
        allowed: true,
        reason: 'The message reaches the agent.',
        steps: [{ step: 'operator', ok: true, detail: 'Everybody may write.' }],
        commands: true,
        requester: requesterView(authority),
        reaches: extentsOf(authority),
        ...present({
          acts: message.verb !== undefined ? explainAct(authority, readAct(message.verb, kind)) : undefined,
        }),
      };
    },
    asker: async (message, there) => memberIn(there, message),
    review: async () => [],
    recent: async ({ channel, limit }) =>
      seen.filter((one) => channel === undefined || one.channel === channel).slice(0, limit),
  };
}
