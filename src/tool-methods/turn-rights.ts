/** What a turn may never change, with the text of the refusal. Pure. */
import type { GuardedChange } from '../config/guarded-paths.ts';
import { AppError } from '../core/errors.ts';
import { PUBLIC_COMMAND } from '../platform/own-command.ts';

export const guardRefusal = ({ path, why }: GuardedChange, others = 0): AppError =>
  new AppError(
    'denied',
    `${path} ${why}. A turn may not change its own limits, whoever asks; nothing was ` +
      `changed${others > 0 ? ` (and ${others} more such settings)` : ''}. The owner changes it with ` +
      `\`${PUBLIC_COMMAND} config set <path> <value>\` or in the Control UI.`,
    { details: { path } },
  );
