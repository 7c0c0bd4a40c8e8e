/** What a turn may do to the gateway it runs in, and the words of a refusal. Pure. */
import type { GuardedChange } from '../../config/guarded-paths.ts';
import { standingOf } from '../../core/authority.ts';
import { AppError } from '../../core/errors.ts';
import type { Turn } from '../../core/turn.ts';

/** A person wrote it, and nobody but persons. */
export const isPersonal = ({ origin, errand, system }: Turn): boolean => origin === 'message' && errand === undefined && system !== true;

/** Everybody in the turn may change the configuration. Nobody asked for cron, hook and session turns, and the texts in them come from anywhere. */
export const mayConfigure = (turn: Turn): boolean => isPersonal(turn) && standingOf(turn.authority) === 'owner';

export const guardRefusal = ({ path, why }: GuardedChange, others = 0): AppError =>
  new AppError('denied', `${path} ${why}. A turn may not change what limits it, whoever asks; nothing was changed${others > 0 ? ` (and ${others} more settings like it)` : ''}. The owner changes it with \`clawdbot config set\` or in the Control UI.`, { details: { path } });
