/** Safety numbers: a changed, untrusted one is reported as a problem of the account, with what to do. */
import { AppError, type Log, type ProblemBoard } from '../../sdk/index.ts';
import type { SendResult } from './errors.ts';
import type { Rpc } from './rpc.ts';

export interface Identities {
  /** From the outcome of a send. */
  learn(results: readonly SendResult[]): void;
  /** A message came that could not be read, as its sender's safety number changed. */
  distrusted(who: string): void;
  /** Asks for those that are not trusted. */
  check(): Promise<void>;
}

export interface IdentityDeps {
  readonly account: string;
  readonly rpc: Rpc;
  readonly problems: ProblemBoard;
  readonly log: Log;
}

interface Identity {
  readonly number?: string | null;
  readonly uuid?: string | null;
  readonly trustLevel?: string;
  readonly safetyNumber?: string;
}

const MAX_NAMED = 5;

export function createIdentities({ account, rpc, problems, log }: IdentityDeps): Identities {
  const changed = new Set<string>();
  const report = (): void => {
    const [who = '<number>'] = changed;
    const named = [...changed].slice(0, MAX_NAMED).join(', ') + (changed.size > MAX_NAMED ? ', …' : '');
    problems.set(
      'identity',
      changed.size === 0
        ? undefined
        : {
            kind: 'security',
            message: `The safety number changed and is not trusted: ${named}. Nothing is exchanged with them.`,
            fix:
              'Compare the safety number with them, then run ' +
              `\`signal-cli -a ${account} trust -v <safety number> ${who}\`.`,
          },
    );
  };
  const nameOf = (address: SendResult['recipientAddress']): string | undefined =>
    address?.number ?? address?.uuid ?? undefined;
  return {
    learn(results) {
      const before = changed.size;
      for (const { type, recipientAddress } of results) {
        const who = nameOf(recipientAddress);
        if (who === undefined) continue;
        if (type === 'IDENTITY_FAILURE') changed.add(who);
        else if (type === 'SUCCESS') changed.delete(who);
      }
      if (changed.size !== before) report();
    },
    distrusted(who) {
      log.warn('signal.identity', { reason: 'a safety number changed' });
      changed.add(who);
      report();
    },
    async check() {
      try {
        const found = (await rpc.call('listIdentities')) as readonly Identity[] | undefined;
        changed.clear();
        for (const one of Array.isArray(found) ? found : [])
          if (one.trustLevel === 'UNTRUSTED') changed.add(one.number ?? one.uuid ?? 'somebody');
        report();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        log.debug('signal.identities', { code: error.code });
      }
    },
  };
}
