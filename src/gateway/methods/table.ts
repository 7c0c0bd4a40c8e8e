/** The table of all gateway methods with their scopes, parameters and handlers. */
import { AppError } from '../../core/errors.ts';
import type { FeatureSurface } from '../../host/join-features.ts';
import { withAliases } from '../method-aliases.ts';
import { agentMethods } from './agent.ts';
import { catalogMethods } from './catalog.ts';
import { channelMethods } from './channels.ts';
import { chatMethods } from './chat.ts';
import { configMethods } from './config.ts';
import { accessMethods } from './access.ts';
import { loginMethods } from './login.ts';
import { logMethods } from './logs.ts';
import { messageMethods } from './messages.ts';
import type { Methods, MethodTable } from './method.ts';
import { pairingMethods } from './pairing.ts';
import { sessionListMethods } from './session-list.ts';
import { sessionMethods } from './sessions.ts';
import { systemMethods } from './system.ts';
import { toolMethods } from './tools.ts';

const OWN: Methods = {
  ...agentMethods,
  ...catalogMethods,
  ...channelMethods,
  ...chatMethods,
  ...configMethods,
  ...accessMethods,
  ...pairingMethods,
  ...loginMethods,
  ...logMethods,
  ...messageMethods,
  ...sessionListMethods,
  ...sessionMethods,
  ...systemMethods,
  ...toolMethods,
};

/** The gateway's own methods and those of the features; a name of its own is never replaced. */
export function methodTable(features: Pick<FeatureSurface, 'methods'>): MethodTable {
  const taken = Object.keys(features.methods).find((name) => Object.hasOwn(OWN, name));
  if (taken !== undefined)
    throw new AppError('conflict', `A feature defines the method ${taken}, which the gateway already has.`);
  const methods = withAliases({ ...OWN, ...features.methods });
  return {
    methods,
    names: ['connect', ...Object.keys(methods)].sort(),
    find: (name) => (Object.hasOwn(methods, name) ? methods[name] : undefined),
  };
}
