/** Combines the live display of an answer with its final messages. */
import type { ChatAddress } from '../../core/message.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import { createLive } from '../delivery/live.ts';
import { planReply } from '../delivery/plan.ts';
import { outsideOf, type LiveDeliveryDeps, type ActiveRuns } from './live-delivery-deps.ts';
import { createLiveRunOf } from './live-run-of.ts';
import { createDeliverySettings } from './live-settings.ts';
import { createPlanAnswer } from './plan-answer.ts';
import { createRunPrefix } from './run-prefix.ts';

export type LiveDelivery = ReturnType<typeof createLiveDelivery>;

export function createLiveDelivery(deps: LiveDeliveryDeps) {
  const { journal } = deps;
  const { liveSettings, rulesOf } = createDeliverySettings();
  const { rows, models }: ActiveRuns = { rows: new Map(), models: new Map() };
  const prefixFor = createRunPrefix(deps, models);
  const live = createLive({
    clock: deps.machine.clock,
    log: deps.machine.log,
    liveOf: createLiveRunOf(deps, { rows, prefixFor, liveSettings }),
    random: deps.machine.random,
    previews: deps.previews,
    connection: (address) => deps.channels.connection(address)?.connection,
    post: ({ runId, sessionKey, address }, posted) =>
      journal.outbox.post(
        posted.map((row) => ({ ...row, runId, sessionKey, address })),
        [],
      ),
    send: (id) => deps.sender.send(id),
    withdraw: (id) => deps.sender.withdraw(id),
    delivered: async (runId) =>
      void (await Promise.all((await journal.outbox.ofRun(runId)).map(({ id }) => deps.sender.send(id)))),
  });
  const leave = [
    deps.hub.onAccepted(({ runId }, row) => {
      if (row) rows.set(runId, row);
      live.accepted(runId);
    }),
    deps.hub.subscribe(({ runId }, event) => {
      if (event.type === 'started') models.set(runId, { provider: event.provider, model: event.model });
      live.event(runId, event);
      if (event.type !== 'ended') return;
      models.delete(runId);
      rows.delete(runId);
    }),
  ];

  return {
    plan: createPlanAnswer(deps, { rows, prefixFor, rulesOf, streamed: live.streamed }),
    /** What is sent without a turn: cut to size, with recordings as the channel plays them. */
    async planSend(address: ChatAddress, payload: ReplyPayload, sessionKey: string): Promise<readonly ReplyPayload[]> {
      const capabilities = outsideOf(deps.channels, address.channel);
      if (!capabilities) return [payload];
      const planned = planReply(payload, rulesOf(deps.config(), address, capabilities), {});
      return deps.voiced(planned, { capabilities, sessionKey });
    },
    /** Words of ours that no turn says: cut to size, otherwise as they are. */
    planNotice(address: ChatAddress, payload: ReplyPayload, messageId?: string): readonly ReplyPayload[] {
      const capabilities = outsideOf(deps.channels, address.channel);
      return capabilities
        ? planReply(payload, rulesOf(deps.config(), address, capabilities), { messageId })
        : [payload];
    },
    /** The agent may say which message it answers. */
    replyTags(address: ChatAddress): boolean {
      const capabilities = outsideOf(deps.channels, address.channel);
      return capabilities !== undefined && rulesOf(deps.config(), address, capabilities).replyTo !== 'off';
    },
    close(): void {
      leave.forEach((stop) => stop());
      live.close();
    },
  };
}
