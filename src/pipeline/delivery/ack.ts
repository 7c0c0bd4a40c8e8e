/** Decides whether a message gets the acknowledgement reaction. Pure. */
import type { AckScope } from '../../config/delivery-config.ts';
import type { ChatKind } from '../../core/message.ts';

export interface AckFacts {
  readonly chat: ChatKind;
  /** Somebody spoke to the agent. */
  readonly addressed: boolean;
  /** In this group one has to, to be answered. */
  readonly mentionGated: boolean;
}

/** As the settings of one channel say it. */
export interface AckModes {
  readonly direct: boolean;
  readonly group: 'always' | 'mentions' | 'never';
}

/** In a group where nobody has to address the agent, every message does. */
export function wantsAckBy(modes: AckModes, { chat, addressed, mentionGated }: AckFacts): boolean {
  if (chat === 'direct') return modes.direct;
  return modes.group === 'always' || (modes.group === 'mentions' && (addressed || !mentionGated));
}

export function wantsAck(scope: AckScope, { chat, addressed, mentionGated }: AckFacts): boolean {
  switch (scope) {
    case 'all':
      return true;
    case 'direct':
      return chat === 'direct';
    case 'group-all':
      return chat !== 'direct';
    case 'group-mentions':
      return chat !== 'direct' && addressed && mentionGated;
    case 'off':
    case 'none':
      return false;
  }
}
