/** Follows all runs and streams each to the clients. */
import { SUSPENDED_CODE } from '../../core/turn.ts';
import type { ChatService } from '../../host/chat.ts';
import type { RunInfo } from '../../host/runs.ts';
import { createRunStream, type RunStream, type RunStreamDeps } from './run-stream.ts';

/** Runs until disposed. */
export function relayRuns(chat: ChatService, deps: RunStreamDeps): Disposable {
  const streams = new Map<string, RunStream>();

  function streamOf(run: RunInfo): RunStream {
    const known = streams.get(run.runId);
    if (known) return known;
    const stream = createRunStream(run, deps);
    streams.set(run.runId, stream);
    return stream;
  }

  function ended({ runId, sessionKey }: RunInfo): void {
    streams.delete(runId);
    deps.hub.publish(
      'sessions.changed',
      { sessionKey, reason: 'turn', ts: deps.clock.now() },
      { to: ({ followsSessionList }) => followsSessionList },
    );
    for (const { ownRuns } of deps.hub.connections()) ownRuns.delete(runId);
  }

  const unsubscribe = chat.subscribe((run, event) => {
    // It continues in the next instance: clients that reconnect find it running.
    if (event.type === 'ended' && event.outcome.kind === 'failed' && event.outcome.code === SUSPENDED_CODE)
      return void streams.delete(run.runId);
    streamOf(run).notify(event);
    if (event.type === 'ended') ended(run);
  });
  return {
    [Symbol.dispose]() {
      unsubscribe();
      for (const stream of streams.values()) stream[Symbol.dispose]();
      streams.clear();
    },
  };
}
