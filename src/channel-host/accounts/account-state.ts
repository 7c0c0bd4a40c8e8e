/** The state of one account while the gateway runs; it survives reconnects. */
import type { AccountFacts, ChannelProblem, Probe } from '../../core/channel.ts';
import type { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { AccountStatus } from '../../host/channel-services.ts';
import type { Clock } from '../../platform/clock.ts';

type Times = {
  -readonly [K in
    | 'lastConnectedAt'
    | 'lastStartAt'
    | 'lastStopAt'
    | 'lastEventAt'
    | 'lastInboundAt'
    | 'lastOutboundAt'
    | 'lastProbeAt'
    | 'downSince']?: number;
};

export interface AccountState {
  /** A task looks after it from now on. */
  started(): void;
  stopped(): void;
  /** Messages can flow. */
  up(): void;
  /** The connection is gone; `error`: and not because we wished it. */
  down(error?: AppError, attempts?: number): void;
  /** Something came from the platform. */
  alive(): void;
  inbound(): void;
  /** It is decided what becomes of a message that came. */
  decided(): void;
  outbound(): void;
  /** True when the account can send again. */
  report(facts: AccountFacts): boolean;
  /** Problems found before connecting, e.g. a secret's file that cannot be read. */
  found(problems: readonly ChannelProblem[]): void;
  probed(probe: Probe, ms: number): void;
  /** Milliseconds of the monotonic clock since anything came. */
  silentFor(): number;
  view(): Pick<AccountStatus, 'running' | 'connected' | 'problems'> & Partial<AccountStatus>;
}

export function createAccountState(clock: Clock): AccountState {
  const times: Times = {};
  let [running, connected, attempts] = [false, false, 0];
  let [error, probe]: [AppError | undefined, AccountStatus['probe']] = [undefined, undefined];
  let facts: AccountFacts = {};
  let before: readonly ChannelProblem[] = [];
  let aliveAt = clock.monotonic();

  const alive = (): void => {
    aliveAt = clock.monotonic();
    times.lastEventAt = clock.now();
    if (probe?.ok === false) probe = undefined;
  };
  const setConnected = (now: boolean): void => {
    if (now) {
      times.lastConnectedAt = clock.now();
      delete times.downSince;
    } else times.downSince ??= clock.now();
    connected = now;
  };

  return {
    started() {
      [running, times.lastStartAt, facts, before] = [true, clock.now(), {}, []];
      delete times.downSince;
      setConnected(false);
    },
    stopped() {
      if (running) times.lastStopAt = clock.now();
      [running, connected, attempts, error, probe, facts] = [false, false, 0, undefined, undefined, {}];
      delete times.downSince;
    },
    up() {
      [attempts, error, probe, aliveAt] = [0, undefined, undefined, clock.monotonic()];
      setConnected(facts.connected !== false);
    },
    down(why, tries = 0) {
      setConnected(false);
      [error, attempts] = [why, tries];
      facts = { ...facts, problems: [] };
    },
    alive,
    inbound() {
      alive();
      times.lastInboundAt = clock.now();
    },
    decided: () => undefined,
    outbound: () => void (times.lastOutboundAt = clock.now()),
    report({ alive: isAlive, ...more }) {
      facts = { ...facts, ...more };
      if (isAlive) alive();
      if (more.connected === undefined || more.connected === connected) return false;
      setConnected(more.connected);
      return more.connected;
    },
    found: (problems) => void (before = problems),
    probed({ ok, detail }, ms) {
      times.lastProbeAt = clock.now();
      probe = present({ ok, ms: Math.round(ms), detail });
      if (ok) aliveAt = clock.monotonic();
    },
    silentFor: () => clock.monotonic() - aliveAt,
    view: () => ({
      running,
      connected,
      ...times,
      ...present({
        reconnectAttempts: attempts !== 0 ? attempts : undefined,
        lastError: error?.message,
        probe,
        mode: facts.mode,
        self: facts.self,
      }),
      problems: [...before, ...(facts.problems ?? []), ...(error ? [problemOf(error)] : [])],
    }),
  };
}

const problemOf = ({ code, message, details }: AppError): ChannelProblem =>
  present({
    kind: code === 'auth' ? 'auth' : 'runtime',
    message,
    fix: typeof details?.['fix'] === 'string' ? details['fix'] : undefined,
  });
