/**
 * Commands whose approval is still pending while their conversation continues; stored across restarts, so that the
 * agent always gets the result.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { ApprovalRequest } from '../../../core/approval.ts';
import { delegatedVia } from '../../../core/authority.ts';
import type { Log } from '../../../core/log.ts';
import type { ProcessOwner } from '../processes/process-spec.ts';
import { listDir, readTextIfExists, removeIfExists, writeFileAtomic } from '../../../platform/files.ts';
import type { SystemEvents } from '../../../host/system-events.ts';

export interface WaitingCommandsDeps {
  /** `<stateDir>/waiting-commands`. */
  readonly dir: string;
  readonly events: Pick<SystemEvents, 'notify'>;
  readonly log: Log;
  /** The gateway ends: what still waits is told by its next run. */
  readonly closing: AbortSignal;
}

type Waiting = Pick<ApprovalRequest, 'id' | 'slug' | 'command'> & { readonly owner: ProcessOwner };

const record = z.object({
  id: z.string(),
  slug: z.string(),
  command: z.string(),
  owner: z.custom<ProcessOwner>((value) => typeof value === 'object' && value !== null && 'authority' in value),
});

export type WaitingCommands = ReturnType<typeof createWaitingCommands>;

export function createWaitingCommands({ dir, events, log, closing }: WaitingCommandsDeps) {
  const fileOf = (id: string): string => join(dir, `${id}.json`);

  async function notify(
    { id, command, owner: { agentId, sessionKey, replyTo, authority } }: Waiting,
    text: string,
  ): Promise<void> {
    await events.notify({
      id: `approval:${id}`,
      agentId,
      sessionKey,
      replyTo,
      text,
      quoted: command,
      authority: delegatedVia(authority, `approval:${id}`),
      wake: {},
    });
  }

  async function left(name: string): Promise<void> {
    const path = join(dir, name);
    const found = record.safeParse(JSON.parse((await readTextIfExists(path)) ?? 'null'));
    if (found.success)
      await notify(
        found.data,
        `Exec interrupted (gateway id=${found.data.slug}): the gateway was restarted while the command ` +
          `waited for approval. Unless \`process\` lists it, it was not run; ask again if it is still wanted.`,
      );
    await removeIfExists(path);
  }

  return {
    async waits({ id, slug, command }: ApprovalRequest, owner: ProcessOwner): Promise<void> {
      await writeFileAtomic(fileOf(id), JSON.stringify({ id, slug, command, owner } satisfies Waiting), {
        sync: false,
      });
    },

    /** `came` absent: it runs, and its end is told like that of any command in the background. */
    async waited({ id, slug, command }: ApprovalRequest, owner: ProcessOwner, came: string | undefined): Promise<void> {
      if (closing.aborted) return;
      try {
        if (came !== undefined) await notify({ id, slug, command, owner }, came);
        await removeIfExists(fileOf(id));
      } catch (error) {
        log.error('approval.waited', { id, error }); // its file stays: the next start tells it
      }
    },

    /** What an earlier run left waiting: a question nobody can answer any more. */
    async resume(): Promise<void> {
      for (const { name } of await listDir(dir))
        await left(name).catch((error: unknown) => log.error('approval.left', { name, error }));
    },
  };
}
