/**
 * Whether a kind of media is looked at in a conversation; asked wherever something of that kind would be, parts of
 * films and pages included.
 */
import type { MediaCapability } from '../../../core/understanding.ts';
import { scopeVerdict } from '../scope.ts';
import type { Stage } from './stage.ts';

/** Why it is not; undefined when it is. */
export function closedBy(capability: MediaCapability, { scene, config }: Stage): 'disabled' | 'scope-deny' | undefined {
  if (config[capability].enabled === false) return 'disabled';
  const { address } = scene.message;
  const { action } = scopeVerdict(config[capability].scope, {
    channel: address.channel,
    chatType: address.chat.kind,
    sessionKey: scene.route.sessionKey,
  });
  return action === 'deny' ? 'scope-deny' : undefined;
}
