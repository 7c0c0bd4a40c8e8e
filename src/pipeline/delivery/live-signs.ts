/** Indicators beside an answer: typing, acknowledgement, tools in use. */
import type { LiveDeps, LiveRun } from './live-run.ts';
import { createTyping } from './typing.ts';

/** None of them holds anything up or makes a turn fail: what goes wrong is logged. */
export interface LiveSigns {
  /** Logs how `doing` failed, if it does. */
  quietly(what: string, run: LiveRun, doing: Promise<unknown> | undefined): void;
  type(run: LiveRun): void;
  isTyping(run: LiveRun): boolean;
  /** It does not type any more. */
  stopTyping(run: LiveRun): void;
  react(run: LiveRun, options?: { remove: true }): void;
  /** A line of its own, once for each `place` of the run. */
  notify(run: LiveRun, place: string, text: string): void;
  close(): void;
}

export function createLiveSigns(deps: LiveDeps): LiveSigns {
  function quietly(what: string, { runId }: LiveRun, doing: Promise<unknown> | undefined): void {
    doing?.catch((error: unknown) => deps.log.debug('live.failed', { what, runId, error }));
  }

  const typing = createTyping<LiveRun>({
    clock: deps.clock,
    keyOf: ({ address: { channel, accountId, chat, threadId } }) =>
      JSON.stringify([channel, accountId, chat.id, threadId]),
    show: (run) => quietly('typing', run, deps.connection(run.address)?.typing?.(run.address)),
  });

  return {
    quietly,
    type(run) {
      if (run.typing !== 'never') typing.start(run.runId, run, run.typingEveryMs);
    },
    isTyping: ({ runId }) => typing.isTyping(runId),
    stopTyping: ({ runId }) => typing.stop(runId),
    react(run, options) {
      if (run.ack !== undefined)
        quietly('ack', run, deps.connection(run.address)?.react?.(run.address, run.messageId, run.ack, options));
    },
    notify(run, place, text) {
      const row = { token: `${run.runId}:tool:${place}`, payload: { kind: 'interim', text } } as const;
      quietly(
        'tool',
        run,
        deps.post(run, [row]).then((ids) => Promise.all(ids.map((id) => deps.send(id)))),
      );
    },
    close: () => typing.close(),
  };
}
