/**
 * Into the timeline of a message: what was refused to its people, and what took more than the conversation they speak
 * in.
 */
import { tookMore, type KeepVerdict } from '../core/may.ts';
import { lookOf } from '../core/verdict.ts';
import type { Journal } from '../journal/journal.ts';
import { whenOver } from '../platform/settled.ts';

export function keepVerdict(
  { turns }: Pick<Journal, 'turns'>,
  ...[{ id, authority }, verdict]: Parameters<KeepVerdict>
): void {
  if (verdict.ok && !tookMore(authority, verdict)) return;
  void whenOver(turns.looked(id, lookOf(verdict))); // a run that cannot be written is told of by its own steps
}
