/** Tells clients that follow output which background commands wrote something, a few times a second at most. */
import type { ProcessView } from '../../core/shell.ts';
import type { ClientLink } from '../../host/clients.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { ProcessService } from './exec-service.ts';

/** Milliseconds in which the output of one command is collected. */
const COLLECT_MS = 250;
/** A client with more bytes than this unread misses news; the next tells how it is then. */
const MAX_UNREAD = 256 * 1024;

export interface OutputRelay extends Disposable {
  follow(link: ClientLink): void;
  leave(link: ClientLink): void;
}

export function relayOutput(
  processes: Pick<ProcessService, 'onOutput'>,
  clock: Pick<Clock, 'setTimeout'>,
): OutputRelay {
  const followers = new Set<ClientLink>();
  const due = new Map<string, Timer>();

  const publish = (id: string, view: () => ProcessView): void => {
    due.delete(id);
    if (followers.size === 0) return;
    const process = view();
    for (const link of followers)
      if (!link.closing && link.unread < MAX_UNREAD) link.send('process.output', { process });
  };
  const stop = processes.onOutput((id, view) => {
    if (followers.size > 0 && !due.has(id)) due.set(id, clock.setTimeout(() => publish(id, view), COLLECT_MS).unref());
  });

  return {
    follow: (link) => void followers.add(link),
    leave: (link) => void followers.delete(link),
    [Symbol.dispose]() {
      stop();
      for (const timer of due.values()) timer.cancel();
      due.clear();
    },
  };
}
