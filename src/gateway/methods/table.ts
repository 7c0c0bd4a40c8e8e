/** The one table of everything a connection may call: rights, parameters and work side by side. */
import { withAliases } from '../method-aliases.ts';
import { agentMethods } from './agent.ts';
import { approvalMethods } from './approvals.ts';
import { catalogMethods } from './catalog.ts';
import { channelMethods } from './channels.ts';
import { chatMethods } from './chat.ts';
import { configMethods } from './config.ts';
import { cronMethods } from './cron.ts';
import { deviceMethods } from './devices.ts';
import { doorMethods } from './doors.ts';
import { heartbeatMethods } from './heartbeat.ts';
import { logMethods } from './logs.ts';
import { messageMethods } from './messages.ts';
import type { Method, Methods } from './method.ts';
import { pairingMethods } from './pairing.ts';
import { processMethods } from './processes.ts';
import { sessionListMethods } from './session-list.ts';
import { sessionMethods } from './sessions.ts';
import { systemMethods } from './system.ts';
import { toolMethods } from './tools.ts';
import { updateMethods } from './update.ts';

export const METHODS: Methods = withAliases({
  ...agentMethods, ...approvalMethods, ...catalogMethods, ...channelMethods, ...chatMethods, ...configMethods, ...cronMethods,
  ...deviceMethods, ...doorMethods, ...heartbeatMethods, ...pairingMethods, ...logMethods, ...messageMethods, ...processMethods, ...sessionListMethods, ...sessionMethods, ...systemMethods, ...toolMethods, ...updateMethods,
});

/** What `hello-ok` advertises; `connect` is the handshake's own. */
export const METHOD_NAMES: readonly string[] = ['connect', ...Object.keys(METHODS)].sort();

export const findMethod = (name: string): Method | undefined => (Object.hasOwn(METHODS, name) ? METHODS[name] : undefined);
