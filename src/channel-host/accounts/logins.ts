/** Runs logins that a person confirms on another device: one per account, which is not connected meanwhile. */
import { join } from 'node:path';
import type { LoginAccount, LoginPrompt, LoginState } from '../../core/channel-login.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { LoginAccountName, LoginRequestOf, LoginView } from '../../host/channel-services.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import type { Clock } from '../../platform/clock.ts';
import { lenient } from './logout.ts';
import { keyOf } from './running-accounts.ts';
import type { AccountPlan } from '../../plugins/channel-accounts.ts';

export interface LoginsDeps {
  readonly stateDir: string;
  readonly log: Log;
  readonly clock: Clock;
  /** The account that is meant; without a channel the only one that offers a login. */
  named(name: LoginAccountName): AccountPlan;
  isConnected(plan: AccountPlan): boolean;
  /** Keeps the account from connecting until what it resolves with is called. */
  hold(plan: AccountPlan): Promise<() => Promise<void>>;
}

export interface Logins {
  /** Resolves with what to show, at the latest after `timeoutMs`. Without `force` a login that is there is kept. */
  start(request: LoginRequestOf, timeoutMs: number): Promise<LoginView>;
  /** Resolves when it is over, something newer than prompt number `after` is to be shown, or `timeoutMs` went by. */
  wait(
    name: LoginAccountName,
    how: { readonly after?: number | undefined; readonly timeoutMs: number },
  ): Promise<LoginView>;
  cancel(name: LoginAccountName): Promise<LoginView>;
}

interface Running {
  readonly abort: AbortController;
  prompt?: LoginPrompt;
  /** Prompts shown so far. */
  count: number;
  /** How it ended. */
  result?: LoginState | AppError;
  /** Resolves when anything of this changed. */
  changed: PromiseWithResolvers<void>;
}

export function createLogins(deps: LoginsDeps): Logins {
  const planOf = (name: LoginAccountName): AccountPlan & { plugin: { login: object } } => {
    const plan = deps.named(name);
    if (plan.plugin.login) return plan as AccountPlan & { plugin: { login: object } };
    throw new AppError('unsupported', `${plan.plugin.label} has no login; its secrets log the account in.`);
  };
  const accountOf = (plan: AccountPlan) => ({
    accountId: plan.accountId,
    config: lenient(plan),
    stateDir: join(deps.stateDir, 'channels', plan.plugin.id, plan.accountId),
    log: deps.log.child({ channel: plan.plugin.id, accountId: plan.accountId }),
  });

  const viewOf = (plan: AccountPlan, one: Running | undefined): LoginView =>
    describeLogin(plan, one, deps.isConnected(plan));

  const runs = createRuns(deps, accountOf);

  return {
    async start(request, timeoutMs) {
      const plan = planOf(request);
      const { linked, ...rest } = await plan.plugin.login!.state(accountOf(plan));
      const known = runs.find(plan);
      if (linked && !request.force && (!known || known.result))
        return {
          ...viewOf(plan, undefined),
          state: 'linked',
          message: `${plan.plugin.label} is logged in already${asWhom({ linked, ...rest })}.`,
        };
      await runs.end(plan);
      const one = runs.begin(plan, request);
      const shown = async (): Promise<void> => {
        while (!one.prompt && !one.result) await one.changed.promise;
      };
      await settlesWithin(shown(), timeoutMs, deps.clock);
      if (one.result instanceof AppError) throw one.result;
      return viewOf(plan, one);
    },
    async wait(name, { after = Infinity, timeoutMs }) {
      const plan = planOf(name);
      const one = runs.find(plan);
      const news = async (): Promise<void> => {
        while (one && !one.result && one.count <= after) await one.changed.promise;
      };
      await settlesWithin(news(), timeoutMs, deps.clock);
      return viewOf(plan, one);
    },
    async cancel(name) {
      const plan = planOf(name);
      await runs.end(plan);
      return viewOf(plan, undefined);
    },
  };
}

interface Runs {
  find(plan: AccountPlan): Running | undefined;
  begin(plan: AccountPlan, request: LoginRequestOf): Running;
  /** Cancels it, and forgets how it ended. */
  end(plan: AccountPlan): Promise<void>;
}

/** The logins that run, and how those before them ended. */
function createRuns(deps: LoginsDeps, accountOf: (plan: AccountPlan) => LoginAccount<unknown>): Runs {
  const running = new Map<string, Running>();

  async function run(plan: AccountPlan, one: Running, request: LoginRequestOf): Promise<LoginState> {
    const resume = await deps.hold(plan);
    try {
      return await plan.plugin.login!.run(
        { ...accountOf(plan), signal: one.abort.signal },
        present({ method: request.method ?? plan.plugin.login!.methods[0]!, phone: request.phone }),
        (prompt) => change(one, { prompt, count: one.count + 1 }),
      );
    } finally {
      await resume();
    }
  }

  function begin(plan: AccountPlan, request: LoginRequestOf): Running {
    const one: Running = { abort: new AbortController(), count: 0, changed: Promise.withResolvers() };
    running.set(keyOf(plan), one);
    run(plan, one, request).then(
      (result) => change(one, { result }),
      (error: unknown) => {
        const why = asAppError(error);
        deps.log.warn('channel.login', { channel: plan.plugin.id, code: why.code, reason: why.message });
        change(one, { result: why });
      },
    );
    return one;
  }

  async function end(plan: AccountPlan): Promise<void> {
    const one = running.get(keyOf(plan));
    if (!one) return;
    one.abort.abort();
    while (!one.result) await one.changed.promise;
    running.delete(keyOf(plan));
  }

  return { find: (plan) => running.get(keyOf(plan)), begin, end };
}

function change(one: Running, what: Partial<Running>): void {
  Object.assign(one, what);
  one.changed.resolve();
  one.changed = Promise.withResolvers();
}

const WORDS = {
  qr: 'Scan the QR code with the phone.',
  code: 'Type the code on the phone.',
} as const;

const asWhom = ({ as }: LoginState): string => (as === undefined ? '' : ` as ${as}`);

const withFix = ({ message, details }: AppError): string =>
  typeof details?.['fix'] === 'string' ? `${message} ${details['fix']}` : message;

function describeLogin(plan: AccountPlan, one: Running | undefined, connected: boolean): LoginView {
  const { id: channel, label, login } = plan.plugin;
  const base = { channel, accountId: plan.accountId, label, steps: login!.steps, connected };
  if (!one) return { ...base, state: 'none', message: 'No login is running.' };
  const { result, prompt, count } = one;
  if (result instanceof AppError) return { ...base, state: 'failed', message: withFix(result) };
  if (result) return { ...base, state: 'linked', message: `${label} is logged in${asWhom(result)}.` };
  return prompt
    ? { ...base, state: 'waiting', message: WORDS[prompt.kind], prompt, nth: count }
    : { ...base, state: 'waiting', message: `Connecting to ${label}.`, nth: 0 };
}
