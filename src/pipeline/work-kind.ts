/** Which kind of work a message is: how many of a kind run at once depends on it. */
import type { Origins } from '../host/origin-traits.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { WorkKind } from '../sessions/lanes.ts';

export const workKind = ({ trigger }: Pick<InboundRow, 'trigger'>, origins: Origins): WorkKind =>
  trigger === undefined ? 'main' : (origins[trigger.origin]?.work?.(trigger) ?? 'background');
