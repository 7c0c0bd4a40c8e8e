/** Tasks as people give them, done by a scripted model that reads the tool results. All share one browser. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { silentLog } from '../../../core/log.ts';
import type { ToolContext } from '../../../core/tool.ts';
import { AppError } from '../../../core/errors.ts';
import { openHarness, skipWithoutChromium, type Harness } from '../harness.ts';
import { runTool, type ToolRequest } from '../tool/run-tool.ts';
import tool from '../tools/browser/index.ts';
import { createScriptedAgent } from './fake-agent.ts';
import { serveTasks, type TaskSite } from './fake-site.ts';
import { TASKS } from './fake-tasks.ts';

const tasks = process.env['TEST_MATRICES'] === 'full' ? TASKS : TASKS.filter(({ sample }) => sample);

describe('tasks', { skip: skipWithoutChromium }, () => {
  let h: Harness;
  let site: TaskSite;
  before(async () => {
    [h, site] = await Promise.all([openHarness({ limits: { tabsPerSession: 4 } }), serveTasks()]);
    await mkdir(join(h.folder, 'files'), { recursive: true });
    await writeFile(join(h.folder, 'files', 'note.txt'), 'remember');
  });
  after(async () => {
    await h[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** Calls the tool as an agent with a session of its own; errors are returned as text, too. */
  function toolOf(session: string): (given: object) => Promise<string> {
    const run = (request: ToolRequest) =>
      runTool(request, {
        caller: h.session(session),
        config: h.core.deps.config,
        sandbox: undefined,
        maxSide: () => undefined,
        shown: (path) => path,
        call: h.service.call as never,
        elsewhere: () => undefined,
        node: { named: () => assert.fail('no node was named'), usual: () => undefined },
      });
    const context: Partial<ToolContext> = {
      workspace: join(h.folder, 'files'),
      confined: true,
      signal: new AbortController().signal,
      log: silentLog,
      progress: () => undefined,
      rpc: (_method, params) => run(params as ToolRequest),
    };
    return async (given) => {
      try {
        const { content } = await tool.run(given as never, context as ToolContext);
        return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      } catch (error) {
        if (error instanceof AppError) return error.message;
        throw error;
      }
    };
  }

  test(`${tasks.length} of ${TASKS.length} are done`, async (context) => {
    const failed: string[] = [];
    for (const [nth, { goal, run }] of tasks.entries()) {
      const session = `task-${nth}`;
      h.sessions.set(session, `${session}-1`);
      const agent = createScriptedAgent(toolOf(session));
      try {
        await run({ agent, url: site.url, orders: site.orders, file: 'note.txt' });
      } catch (error) {
        failed.push(`${goal}: ${error instanceof Error ? error.message : String(error)}`);
      }
      h.sessions.delete(session);
      await h.core.sweep();
    }
    context.diagnostic(`score: ${tasks.length - failed.length} of ${tasks.length} tasks`);
    assert.deepEqual(failed, []);
    assert.ok(TASKS.length >= 40);
  });
});
