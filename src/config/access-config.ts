/** `access`: what the owner allows people without configuration rights to do beyond their own conversation. */
import { z } from 'zod';
import { OPENINGS } from '../core/access-table.ts';

export const accessConfigSchema = z
  .object({
    open: z
      .array(z.enum(OPENINGS))
      .default([])
      .describe(
        'Additional access for turns of people who may not configure the gateway. conversations: ' +
          'other chats, with the message tool; received-files: files received in other conversations; ' +
          ('sessions: other sessions of the agent; processes: background commands of others; jobs: ' +
            'jobs of others; prompt-files: AGENTS.md, SOUL.md, TOOLS.md, HEARTBEAT.md and skills may be ' +
            'changed; memory: MEMORY.md and memory/ may be changed.'),
      ),
  })
  .prefault({});

export type AccessConfig = z.output<typeof accessConfigSchema>;
