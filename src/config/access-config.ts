/** `access`: what the owner opens to people who may not configure, beyond their own conversation. */
import { z } from 'zod';
import { OPENINGS } from '../core/access-table.ts';

export const accessConfigSchema = z
  .object({
    open: z
      .array(z.enum(OPENINGS))
      .default([])
      .describe(
        'What turns of people who may not configure reach beyond their own conversation. conversations: ' +
          'other chats, by the message tool; received-files: files that came in other conversations; ' +
          ('sessions: other sessions of the agent; processes: what runs in the background for others; jobs: ' +
            'jobs of others; prompt-files: AGENTS.md, SOUL.md, TOOLS.md, HEARTBEAT.md and skills may be ' +
            'changed; memory: MEMORY.md and memory/ may be changed.'),
      ),
  })
  .prefault({});

export type AccessConfig = z.output<typeof accessConfigSchema>;
