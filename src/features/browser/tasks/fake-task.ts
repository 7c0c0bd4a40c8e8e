/** The type of a task, and how one runs on a page. */
import assert from 'node:assert/strict';
import type { Order } from './fake-shop.ts';
import type { Line, ScriptedAgent } from './fake-agent.ts';

export interface TaskSetting {
  readonly agent: ScriptedAgent;
  readonly url: string;
  readonly orders: readonly Order[];
  /** A file the agent may read, by its name in the workspace. */
  readonly file: string;
}

export interface Task {
  readonly goal: string;
  /** Part of every test run. */
  readonly sample?: true;
  run(setting: TaskSetting): Promise<void>;
}

/** The actions that the page recorded. */
async function says(agent: ScriptedAgent, wanted: string | RegExp): Promise<void> {
  assert.ok(await agent.reads(wanted), `the page does not say ${wanted}`);
}

/** A task on one page: opens it, acts, and reads the result. */
export const onPage =
  (
    path: string,
    work: (agent: ScriptedAgent, setting: TaskSetting) => Promise<unknown>,
    wanted?: string | RegExp,
  ): Task['run'] =>
  async (setting) => {
    await setting.agent.open(`${setting.url}${path}`);
    await work(setting.agent, setting);
    if (wanted !== undefined) await says(setting.agent, wanted);
  };

export const cells = (row: readonly Line[]): readonly string[] =>
  row.filter(({ role }) => role === 'cell').map(({ name, text }) => name || text);
