/** Which background commands of its agent a conversation knows of: nobody types into what runs for somebody with other rights. Pure. */
import type { ProcessesView } from './processes/create-processes.ts';
import type { ShellPlace } from './shell-place.ts';

/** Undefined: all of them. */
export function sightOf({ sandbox, owner, elevation }: Pick<ShellPlace, 'sandbox' | 'owner' | 'elevation'>): ProcessesView['sees'] {
  const isOwn = (process: { readonly owner: Pick<ShellPlace['owner'], 'sessionKey'> }): boolean => process.owner.sessionKey === owner.sessionKey;
  // What people in a group make the agent do must not reach the shells of its owner.
  if (!sandbox) return owner.replyTo.chat.kind === 'direct' ? undefined : isOwn;
  return (process) => {
    const own = isOwn(process);
    // What ran elevated is there for those who may be elevated.
    if (process.host === 'gateway') return own && elevation(true).allowed;
    return own || sandbox.scope !== 'session';
  };
}
