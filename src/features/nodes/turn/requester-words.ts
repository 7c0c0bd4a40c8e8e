/** Describes the requester of an invocation in words. */
import { sendersOf, type Authority } from '../../../core/authority.ts';

const MAX_IDS = 3;

/** The requester, for the log and for the person at the node. */
export function requesterWords(authority: Authority): string {
  const { requester, hands } = authority;
  const ids = sendersOf(authority).slice(0, MAX_IDS).join(', ');
  const who =
    requester.kind === 'people'
      ? `${requester.channel} ${ids}`
      : requester.kind === 'program'
        ? `program ${requester.name}`
        : requester.kind === 'operator'
          ? `operator ${ids}`
          : 'the agent';
  return hands.length > 0 ? `${who}, through ${hands.at(-1)}` : who;
}
