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
