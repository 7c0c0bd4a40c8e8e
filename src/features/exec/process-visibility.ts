/**
 * Which background commands of its agent a conversation can see: nobody may write to a process that runs for somebody
 * with other rights. Pure.
 */
import { may } from '../../core/may.ts';
import type { ProcessesView } from './processes/create-processes.ts';
import type { ProcessOwner } from './processes/process-spec.ts';
import type { ShellPlace } from './shell-place.ts';

export function processVisibility({
  sandbox,
  owner,
  elevation,
  open,
}: Pick<ShellPlace, 'sandbox' | 'owner' | 'elevation' | 'open'>): NonNullable<ProcessesView['sees']> {
  const isOwn = (of: ProcessOwner): boolean => of.sessionKey === owner.sessionKey;
  const sees = (of: ProcessOwner): boolean =>
    isOwn(of) ||
    may(
      owner.authority,
      'change',
      { kind: 'process', of: { sessionKey: of.sessionKey, startedBy: [of.authority.home.sessionKey] } },
      open,
    ).ok;
  return (process) => {
    if (!sandbox || !sees(process.owner)) return sees(process.owner);
    // From inside a box what ran elevated is there for those who may be elevated, and it started itself: typing into it
    // is a way out.
    if (process.host === 'gateway') return isOwn(process.owner) && elevation(true).allowed;
    return isOwn(process.owner) || sandbox.scope !== 'session';
  };
}
