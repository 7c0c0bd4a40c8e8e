/** Runs invocations of the gateway, each once, shows what is in use, and returns results in parts. */
import {
  INVOKE_TIMEOUT_MS,
  PIECE_CHARS,
  sendOutcome,
  type InvokeOutcome,
  type InvokeRequest,
} from '../../../protocol/node-invoke.ts';
import { LinkError, type Link } from './link.ts';
import { NodeError } from './node-error.ts';
import type { Params } from './params.ts';
import type { CapabilityId, Work, WorkCall } from './work.ts';
import { SENSOR_OF } from './sensors.ts';

/** One use of a sensor. */
export interface Use {
  readonly id: string;
  readonly what: 'camera' | 'microphone' | 'location' | 'screen';
  /** The requester, as the gateway describes it. */
  readonly by: string;
}

export interface ServeDeps {
  readonly link: Pick<Link, 'call'>;
  find(command: string): Work | undefined;
  /** Why the command is unavailable now, beginning with its code; undefined: it is available. */
  refusal(command: string): string | undefined;
  isOn(id: CapabilityId): boolean;
  /** The page is in the background. */
  isHidden(): boolean;
  onUses(uses: readonly Use[]): void;
}

export interface Serve {
  take(invoke: unknown): void;
  cancel(id: string): void;
  /** Ends all uses of sensors, or those that match, with this error for the gateway. */
  stop(why: NodeError, fits?: (use: Use) => boolean): void;
}

const REMEMBERED = 50;

export function createServe(deps: ServeDeps): Serve {
  /** By idempotency key: a command that is sent again after a lost connection does not run twice. */
  const begun = new Map<string, Promise<InvokeOutcome>>();
  const running = new Map<string, { readonly stop: AbortController; readonly use: Use | undefined }>();
  const publish = (): void => deps.onUses([...running.values()].flatMap(({ use }) => use ?? []));

  async function run(invoke: InvokeRequest): Promise<InvokeOutcome> {
    const { id, command, paramsJSON, timeoutMs = INVOKE_TIMEOUT_MS, requester = 'your assistant' } = invoke;
    const what = Object.hasOwn(SENSOR_OF, command) ? SENSOR_OF[command] : undefined;
    const stop = new AbortController();
    try {
      const work = mustWork(command, what);
      running.set(id, { stop, use: what && { id, what, by: requester } });
      publish();
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]);
      const call: WorkCall = { signal, isOn: deps.isOn };
      const params = (paramsJSON === undefined ? {} : JSON.parse(paramsJSON)) as Params;
      const payload = await Promise.race([work(params, call), whenStopped(stop.signal)]);
      return { ok: true, payloadJSON: JSON.stringify(payload ?? null) };
    } catch (cause) {
      const { code, message } = cause instanceof NodeError ? cause : { code: 'UNAVAILABLE', message: String(cause) };
      return { ok: false, error: { code, message } };
    } finally {
      running.delete(id);
      publish();
    }
  }

  function mustWork(command: string, what: Use['what'] | undefined): Work {
    const work = deps.find(command);
    if (!work) throw new NodeError('INVALID_REQUEST', `unknown command: ${command}`);
    const refusal = deps.refusal(command);
    if (refusal !== undefined) throw errorOf(refusal);
    if (what && what !== 'screen' && deps.isHidden()) throw inBackground();
    return work;
  }

  async function serve(invoke: InvokeRequest): Promise<void> {
    const key = invoke.idempotencyKey ?? invoke.id;
    const known = begun.get(key) ?? run(invoke);
    begun.set(key, known);
    if (begun.size > REMEMBERED) begun.delete(begun.keys().next().value!);
    const outcome = await known;
    try {
      await sendOutcome(invoke, outcome, deps.link);
    } catch (cause) {
      // The connection was lost: the gateway has already reported that to the requester, and nobody waits for the
      // result.
      if (!(cause instanceof LinkError)) throw cause;
    }
    if (!outcome.ok || outcome.payloadJSON.length > PIECE_CHARS) begun.delete(key);
  }

  return {
    take: (invoke) => void serve(invoke as InvokeRequest),
    cancel: (id) => running.get(id)?.stop.abort(new NodeError('CANCELLED', 'the gateway gave it up')),
    stop(why, fits = () => true) {
      for (const { stop, use } of running.values()) if (use && fits(use)) stop.abort(why);
    },
  };
}

/** The code of a reason is the part before the first colon. */
function errorOf(reason: string): NodeError {
  const [code = '', ...words] = reason.split(': ');
  return new NodeError(code, words.join(': '));
}

export const inBackground = (): NodeError =>
  new NodeError('NODE_BACKGROUND_UNAVAILABLE', 'the page of the node is not in front');

const whenStopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
