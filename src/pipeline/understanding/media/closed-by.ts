/**
 * Whether a kind of media is looked at in a conversation; asked wherever something of that kind would be, parts of
 * films and pages included.
 */
import type { MediaCapability } from '../../../core/understanding.ts';
import { scopeDecision } from '../scope.ts';
import type { MediaRun } from './media-run.ts';

/** Why it is not; undefined when it is. */
export function closedBy(
  capability: MediaCapability,
  { context, config }: MediaRun,
): 'disabled' | 'scope-deny' | undefined {
  if (config[capability].enabled === false) return 'disabled';
  const { address } = context.message;
  const { action } = scopeDecision(config[capability].scope, {
    channel: address.channel,
    chatType: address.chat.kind,
    sessionKey: context.route.sessionKey,
  });
  return action === 'deny' ? 'scope-deny' : undefined;
}
