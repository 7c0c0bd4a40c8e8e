/** The endpoint of the Bot Connector: each activity is verified first, and confirmed once its message is on disk. */
import {
  AppError,
  createKeyedQueue,
  onFailure,
  type ChannelAccount,
  type Intake,
  type WebhookHandler,
} from '../../sdk/index.ts';
import { readActivity, type Activity } from './activity.ts';
import { pollCard, voteIn, withVote } from './cards.ts';
import type { TeamsConfig } from './config.ts';
import { takeConsent } from './consent.ts';
import { addressOf, normalise, personOf } from './inbound.ts';
import { activityPath, placeFor, type SendDeps } from './send.ts';
import type { RequestProof } from './verify-request.ts';

export interface WebhookDeps {
  readonly account: ChannelAccount<TeamsConfig>;
  readonly intake: Intake;
  readonly proof: RequestProof;
  readonly send: SendDeps;
  isOurs(id: string): boolean;
}

type Reply = Awaited<ReturnType<WebhookHandler>>;

const LATER: Reply = { status: 503, body: 'later' };
/** Anybody can post: they must not fill the log. */
const SAY_AGAIN_MS = 60_000;

export function createWebhook(deps: WebhookDeps): WebhookHandler {
  const said = { at: -Infinity };
  const order = createKeyedQueue();
  return async ({ method, headers, body }) => {
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    const activity = readActivity(body);
    if (!activity) return { status: 400, body: 'not an activity' };
    // Proofs take their time; what a chat said keeps its order.
    const step = await order.run(activity.conversation?.id ?? '', async () => {
      const refused = await deps.proof.refusal(headers['authorization'], activity);
      return refused ? { refused } : { reply: taken(activity, deps) };
    });
    const { refused, reply } = step;
    if (refused) {
      if (performance.now() - said.at > SAY_AGAIN_MS) deps.account.log.warn('msteams.refused', refused);
      said.at = performance.now();
      return { status: refused.status };
    }
    deps.account.report({ alive: true });
    return reply;
  };
}

async function taken(activity: Activity, deps: WebhookDeps): Promise<Reply> {
  const { account, intake, send } = deps;
  const to = addressOf(activity, account.accountId);
  if (!to) return { status: 200 };
  const { serviceUrl, conversation } = activity;
  const direct = to.chat.kind === 'direct';
  send.references.note(to.chat.id, { serviceUrl: serviceUrl!, conversation: direct ? conversation!.id! : to.chat.id });
  try {
    if (activity.type === 'invoke') return await invoked(activity, deps);
    const vote = voteIn(activity.value);
    if (vote) return (await counted(activity, vote, deps), { status: 200 });
    const message = normalise(activity, {
      accountId: account.accountId,
      reactions: account.config.reactionNotifications,
      isOurs: deps.isOurs,
    });
    if (!message) return { status: 200 };
    const offered = intake.take(message.address.chat.id, () => account.receive(message));
    onFailure(offered, () => undefined); // the connector is asked to come again
    await offered;
    return { status: 200 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    account.log.debug('msteams.untaken', { code: error.code });
    return LATER;
  }
}

async function invoked(activity: Activity, { account, send }: WebhookDeps): Promise<Reply> {
  const to = addressOf(activity, account.accountId)!;
  if (activity.name !== 'fileConsent/invoke') return { status: 200, body: '{}' };
  const known = await takeConsent(activity, to, send);
  if (!known) account.log.info('msteams.consent', { reason: 'an offer that is not known any more' });
  return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
}

/** The card shows how everybody voted; a vote that does not count changes nothing. */
async function counted(
  activity: Activity,
  vote: NonNullable<ReturnType<typeof voteIn>>,
  { send, account }: WebhookDeps,
): Promise<void> {
  const to = addressOf(activity, account.accountId)!;
  const posted = send.cardStore.find(vote.poll);
  if (posted?.kind !== 'poll' || posted.chat !== to.chat.id) return;
  const poll = withVote(posted.poll, personOf(activity)!, { chosen: vote.chosen, now: Date.now() });
  if (!poll) return;
  await send.cardStore.put(vote.poll, { ...posted, poll });
  if (posted.messageId === undefined) return;
  const place = await placeFor(to, send);
  const json = { type: 'message', id: posted.messageId, attachments: [pollCard(vote.poll, poll)] };
  const path = activityPath(place.conversation, posted.messageId);
  await send.api.call({ serviceUrl: place.serviceUrl, method: 'PUT', path, json });
}
