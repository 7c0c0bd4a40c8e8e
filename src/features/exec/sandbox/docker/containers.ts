/** The containers of sandboxes: created once, used by one or more commands, replaced when their settings change. */
import { sha256Hex } from '../../../../platform/ids.ts';
import { createKeyedQueue } from '../../../../platform/keyed-queue.ts';
import type { SandboxSetting } from '../sandbox-setting.ts';
import { createArguments, endArguments, type CreateFacts } from './docker-arguments.ts';
import { CALL_PROFILE } from './system-calls.ts';

/** Of Docker's client. */
export type Run = (
  args: readonly string[],
  timeoutMs?: number,
) => Promise<{ readonly out: string } | { readonly problem: string }>;

/** `stamp`: of the files its mounts hold. */
export interface Container {
  readonly setting: SandboxSetting;
  readonly facts: Omit<CreateFacts, 'fingerprint'>;
  readonly stamp: string;
}

export interface Containers {
  /** It runs, for one command more. */
  take(container: Container): Promise<{ readonly problem: string } | undefined>;
  /**
   * A command ended: what it left running is ended; `wholly`, asked whether it was the last: everything in the
   * container.
   */
  leave(
    name: string,
    end: { readonly mark: string; wholly(last: boolean): Promise<boolean> },
  ): Promise<{ readonly problem: string } | undefined>;
}

/** An image may have to be fetched first. */
const CREATE_MS = 10 * 60_000;

export function createContainers(run: Run): Containers {
  const commands = new Map<string, number>();
  /**
   * One thing at a time is done to a container: two commands make one, and none is begun in one that is being ended.
   */
  const queue = createKeyedQueue();
  return {
    take: (container) =>
      queue.run(container.facts.name, async () => {
        const { name } = container.facts;
        const problem = await ensureContainer(container, run);
        if (!problem) commands.set(name, (commands.get(name) ?? 0) + 1);
        return problem;
      }),
    leave: (name, { mark, wholly }) =>
      queue.run(name, async () => {
        const left = (commands.get(name) ?? 1) - 1;
        commands.set(name, left);
        const ended = await run((await wholly(left === 0)) ? ['kill', name] : endArguments(name, mark));
        return 'problem' in ended ? ended : undefined;
      }),
  };
}

/** Running and made from these very settings; one of other settings is replaced. */
async function ensureContainer(
  { setting, facts, stamp }: Container,
  run: Run,
): Promise<{ readonly problem: string } | undefined> {
  const { name } = facts;
  const fingerprint = sha256Hex(
    JSON.stringify([
      createArguments(setting, { ...facts, fingerprint: setting.docker.setupCommand ?? '' }),
      stamp,
      CALL_PROFILE,
    ]),
  ).slice(0, 16);
  const known = await run([
    'inspect',
    '--format',
    '{{.State.Running}} {{index .Config.Labels "clawdbot.sandbox"}}',
    name,
  ]);
  const [running, label] = 'out' in known ? known.out.split(' ') : [];
  if (label === fingerprint) return running === 'true' ? undefined : failed(await run(['start', name]), 'started');
  if (label !== undefined) await run(['rm', '--force', name]);
  const made = await run(createArguments(setting, { ...facts, fingerprint }), CREATE_MS);
  if ('problem' in made) return failed(made, `made from the image ${setting.docker.image}`);
  return failed(await run(['start', name]), 'started') ?? setUp(setting, name, run);
}

async function setUp(
  setting: SandboxSetting,
  name: string,
  run: Run,
): Promise<{ readonly problem: string } | undefined> {
  const { setupCommand } = setting.docker;
  if (setupCommand === undefined) return undefined;
  const problem = failed(
    await run(['exec', '-i', '--user', '0:0', name, 'sh', '-lc', setupCommand], CREATE_MS),
    'set up (sandbox.docker.setupCommand)',
  );
  // Half set up it would be taken for ready the next time.
  if (problem) await run(['rm', '--force', name]);
  return problem;
}

const failed = (outcome: Awaited<ReturnType<Run>>, what: string): { readonly problem: string } | undefined =>
  'problem' in outcome ? { problem: `The sandbox's container could not be ${what}: ${outcome.problem}.` } : undefined;
