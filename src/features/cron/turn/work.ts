/** The task, session and target of a job, from a request and the limits of the turn. Pure. */
import type { CronJob } from '../cron-job.ts';
import { present } from '../../../core/present.ts';
import { storedAddress, type CronBounds, type StoredDelivery } from './bounds.ts';
import type { CronRequest, DeliveryWords, PayloadRequest } from './request.ts';

type Bounds = Pick<CronBounds, 'target' | 'delivery'>;

/** Fields for the service: what is not there stays as it is. */
interface CronWork {
  readonly sessionTarget?: CronJob['sessionTarget'];
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** Of a whole job. A reminder for a conversation that is not the main one is a turn there. */
export function newWork(
  { sessionTarget: requested, payload, delivery }: CronRequest & { readonly payload: PayloadRequest },
  bounds: Bounds,
): Required<CronWork> {
  const said = payload.kind ?? payload.likely;
  const sessionTarget = bounds.target(requested ?? (said === 'agentTurn' || delivery ? 'isolated' : 'main'));
  const kind = kindFor(sessionTarget, said);
  if (kind === 'systemEvent') return { sessionTarget, payload: { kind, text: payload.text } };
  return { sessionTarget, payload: { kind, message: payload.text, ...payload.settings, ...bounds.delivery(delivery) } };
}

/** Of a job that is there. */
export function changedWork(
  job: CronJob,
  { sessionTarget: requested, payload, delivery }: CronRequest,
  bounds: Bounds,
): CronWork {
  const sessionTarget = requested === undefined ? undefined : bounds.target(requested);
  const to = sessionTarget === undefined ? {} : { sessionTarget };
  const before = job.payload;
  const kind =
    sessionTarget === undefined
      ? (payload?.kind ?? before.kind)
      : kindFor(sessionTarget, payload?.kind ?? (payload ? undefined : before.kind));
  if (!payload && !delivery && kind === before.kind) return to;
  if (kind === 'systemEvent') return { ...to, payload: present({ kind, text: payload?.text }) };
  const message = payload?.text ?? (before.kind === 'systemEvent' ? before.text : undefined);
  const where =
    before.kind === 'systemEvent'
      ? bounds.delivery(delivery)
      : delivery
        ? instead(elsewhere(delivery, before, bounds))
        : {};
  return { ...to, payload: { kind, ...present({ message }), ...payload?.settings, ...where } };
}

/** A request that names no chat is about the current one. */
function elsewhere(request: DeliveryWords, before: StoredDelivery, bounds: Bounds): StoredDelivery {
  const there = storedAddress(before);
  if (there || request.to !== undefined || request.channel !== undefined) return bounds.delivery(request, there);
  const { channel, to, accountId, threadId } = before;
  const words = Object.fromEntries(
    Object.entries({ channel, to, accountId, threadId }).filter(([, value]) => value !== undefined),
  );
  return bounds.delivery({ ...words, ...request });
}

const NOWHERE = { channel: null, to: null, chatKind: null, accountId: null, threadId: null };

/** Nothing of the former address may stay: the thread of another chat would make it a third one. */
const instead = (where: StoredDelivery): Readonly<Record<string, unknown>> =>
  where.deliver === false ? where : { ...NOWHERE, ...where };

/** What is said wins where both go; a conversation takes turns only. */
function kindFor(target: CronJob['sessionTarget'], said: PayloadRequest['kind']): NonNullable<PayloadRequest['kind']> {
  if (target.startsWith('session:')) return 'agentTurn';
  return said ?? (target === 'main' ? 'systemEvent' : 'agentTurn');
}
