/** What each method of the gateway takes, as one table; features keep the parameters of their own methods. */
import type { z } from 'zod';
import {
  accessExplainParams,
  accessRecentParams,
  hypotheticalParams,
  pairingApprovalParams,
  pairingDecisionParams,
  pairingListParams,
  pairingRevokeParams,
} from './access.ts';
import { agentIdentityParams, agentParams, agentWaitParams, agentsListParams, modelsListParams } from './agent.ts';
import {
  chatAbortParams,
  chatFileParams,
  chatHistoryParams,
  chatInjectParams,
  chatSendParams,
  chatTimelineParams,
} from './chat.ts';
import {
  configApplyParams,
  configGetParams,
  configPatchParams,
  configSchemaParams,
  configSetParams,
} from './config.ts';
import { noParams } from './fields.ts';
import { messageActionParams, pollParams, sendParams } from './messages.ts';
import {
  sessionMessagesParams,
  sessionsCompactParams,
  sessionsDeleteParams,
  sessionsListParams,
  sessionsPatchParams,
  sessionsPreviewParams,
  sessionsResetParams,
  sessionsResolveParams,
  sessionsSubscribeParams,
} from './sessions.ts';
import {
  channelAccountParams,
  channelsListParams,
  channelsStatusParams,
  healthParams,
  journalCopyParams,
  logsTailParams,
  performanceParams,
  presenceParams,
  restartParams,
  statusParams,
  systemEventParams,
  wakeParams,
} from './system.ts';
import { toolsCatalogParams, toolsEffectiveParams, toolsExplainParams, toolsInvokeParams } from './tools.ts';

/** Method → schema of its parameters. */
export const PARAMETERS = {
  'access.explain': accessExplainParams,
  'access.recent': accessRecentParams,
  agent: agentParams,
  'agent.identity.get': agentIdentityParams,
  'agent.wait': agentWaitParams,
  'agents.list': agentsListParams,
  'channel.pairing.approve': pairingApprovalParams,
  'channel.pairing.list': pairingListParams,
  'channel.pairing.reject': pairingDecisionParams,
  'channel.pairing.revoke': pairingRevokeParams,
  'channels.capabilities': channelsListParams,
  'channels.logout': channelAccountParams,
  'channels.restart': channelAccountParams,
  'channels.start': channelAccountParams,
  'channels.status': channelsStatusParams,
  'channels.stop': channelAccountParams,
  'chat.abort': chatAbortParams,
  'chat.file': chatFileParams,
  'chat.history': chatHistoryParams,
  'chat.inject': chatInjectParams,
  'chat.send': chatSendParams,
  'chat.timeline': chatTimelineParams,
  'config.apply': configApplyParams,
  'config.get': configGetParams,
  'config.patch': configPatchParams,
  'config.schema': configSchemaParams,
  'config.set': configSetParams,
  'gateway.restart.request': restartParams,
  health: healthParams,
  'journal.copy': journalCopyParams,
  'logs.tail': logsTailParams,
  'message.action': messageActionParams,
  'models.list': modelsListParams,
  poll: pollParams,
  'route.explain': hypotheticalParams,
  'route.review': noParams,
  send: sendParams,
  'sessions.compact': sessionsCompactParams,
  'sessions.delete': sessionsDeleteParams,
  'sessions.list': sessionsListParams,
  'sessions.messages.subscribe': sessionMessagesParams,
  'sessions.messages.unsubscribe': sessionMessagesParams,
  'sessions.patch': sessionsPatchParams,
  'sessions.preview': sessionsPreviewParams,
  'sessions.reset': sessionsResetParams,
  'sessions.resolve': sessionsResolveParams,
  'sessions.subscribe': sessionsSubscribeParams,
  'sessions.unsubscribe': sessionsSubscribeParams,
  performance: performanceParams,
  status: statusParams,
  'system-event': systemEventParams,
  'system-presence': presenceParams,
  'tools.catalog': toolsCatalogParams,
  'tools.effective': toolsEffectiveParams,
  'tools.explain': toolsExplainParams,
  'tools.invoke': toolsInvokeParams,
  wake: wakeParams,
} satisfies Readonly<Record<string, z.ZodType>>;

/** The type of each method's parameters, as a client writes them: what has a default may be left out. */
export type MethodParameters = { readonly [M in keyof typeof PARAMETERS]: z.input<(typeof PARAMETERS)[M]> };
