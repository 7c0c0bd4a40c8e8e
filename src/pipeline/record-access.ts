/** Records in a message's timeline what its sender was refused, and what reached beyond their conversation. */
import { exceedsOwnChat, type RecordAccess } from '../core/may.ts';
import { recordedCheck } from '../core/access-check.ts';
import type { Journal } from '../journal/journal.ts';
import { whenOver } from '../platform/settled.ts';

export function recordAccess(
  { turns }: Pick<Journal, 'turns'>,
  ...[{ id, authority }, check]: Parameters<RecordAccess>
): void {
  if (check.ok && !exceedsOwnChat(authority, check)) return;
  // A run that cannot be written is reported by its own steps.
  void whenOver(turns.accessChecked(id, recordedCheck(check)));
}
