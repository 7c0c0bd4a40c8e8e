/** Which background commands of its agent a conversation knows of: who is in a box does not type into what runs outside of it. Pure. */
import type { ProcessesView } from './processes/create-processes.ts';
import type { ShellPlace } from './shell-place.ts';

/** Undefined: all of them. */
export function sightOf({ sandbox, owner, elevation }: Pick<ShellPlace, 'sandbox' | 'owner' | 'elevation'>): ProcessesView['sees'] {
  if (!sandbox) return undefined;
  return (process) => {
    const own = process.owner.sessionKey === owner.sessionKey;
    // What ran elevated is there for those who may be elevated.
    if (process.host === 'gateway') return own && elevation(true).allowed;
    return own || sandbox.scope !== 'session';
  };
}
