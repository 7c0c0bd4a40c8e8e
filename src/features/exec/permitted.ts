/**
 * Waits for an approval as long as for a command; after that the conversation continues, and the command runs in the
 * background once approved.
 */
import type { ApprovalRequest } from '../../core/approval.ts';
import { asAppError } from '../../core/errors.ts';
import type { ShellOutcome, ShellRequest, ShellWatch } from '../../core/shell.ts';
import type { BoundHere } from './bound-for.ts';
import { yieldMs } from './await-command.ts';
import { prepare } from './prepare.ts';
import type { Prepared } from './prepared.ts';
import type { Refusal } from './refusal.ts';
import type { ShellDeps, ShellPlace } from './shell-place.ts';

interface PermitRequest {
  readonly request: ShellRequest;
  readonly watch: ShellWatch;
  readonly place: ShellPlace;
  readonly bound: BoundHere;
}
type Deciding = Promise<Prepared | Refusal>;

export async function permitted(
  permit: PermitRequest,
  deps: ShellDeps,
): Promise<Prepared | Refusal | Extract<ShellOutcome, { kind: 'waiting' }>> {
  const { request, watch, place, bound } = permit;
  if (!place.mayWait || !place.mayBackground) return prepare(permit, deps);
  const held = new AbortController();
  const stop = (): void => held.abort(watch.signal.reason);
  watch.signal.addEventListener('abort', stop, { once: true });
  if (watch.signal.aborted) stop();
  const question = Promise.withResolvers<ApprovalRequest>();
  const gone = new AbortController();
  const deciding: Deciding = prepare(
    {
      request,
      place,
      bound,
      watch: {
        signal: held.signal,
        progress: (text) => {
          if (!gone.signal.aborted) watch.progress(text);
        },
      },
    },
    {
      ...deps,
      announce(approval, owner) {
        deps.announce(approval, owner);
        question.resolve(approval);
      },
    },
  );
  try {
    const first = await Promise.race([
      deciding,
      orLater(question.promise, request.background === true ? 0 : yieldMs(request, place.settings), deps),
    ]);
    if (!('slug' in first) || watch.signal.aborted) return await deciding;
    await deps.waits(first, place.owner);
    gone.abort();
    void cameOf(deciding, deps).then((came) => deps.waited(first, place.owner, came));
    return { kind: 'waiting', request: first };
  } finally {
    watch.signal.removeEventListener('abort', stop);
  }
}

/** The question, once it was waited for long enough; what is asked at all is told by `announce`. */
async function orLater(question: Promise<ApprovalRequest>, ms: number, { clock }: ShellDeps): Promise<ApprovalRequest> {
  const request = await question;
  const enough = Promise.withResolvers<void>();
  clock.setTimeout(enough.resolve, ms).unref();
  await enough.promise;
  return request;
}

/** It runs in the background as soon as it may; a sentence says why it does not. */
async function cameOf(deciding: Deciding, { registry }: ShellDeps): Promise<string | undefined> {
  try {
    const ready = await deciding;
    if ('kind' in ready) return ready.message;
    const started = await registry.start({ ...ready, owner: { ...ready.owner, promised: true } });
    if ('problem' in started) return started.problem;
    await started.toBackground();
    return undefined;
  } catch (error) {
    return `The command was not run: ${asAppError(error).message}`; // nobody waits for this promise
  }
}
