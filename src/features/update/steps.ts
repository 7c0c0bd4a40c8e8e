/**
 * The steps of an update: programs run one after the other within one time, each remembered with the ends of what it
 * wrote.
 */
import { present } from '../../core/present.ts';
import type { Clock } from '../../platform/clock.ts';
import { childEnv } from '../../platform/child-env.ts';
import type { Env } from '../../platform/env.ts';
import { exec } from '../../platform/exec.ts';
import { redactText } from '../../platform/redact.ts';
import type { UpdateStep } from './update-service.ts';
import { delimiter, isAbsolute, join } from 'node:path';

/** What a step came to. `text` is its output, trimmed; `failed` says why it is no good. */
export interface Outcome {
  readonly ok: boolean;
  readonly text: string;
  readonly failed?: string;
}

export interface Steps {
  readonly done: readonly UpdateStep[];
  /** Runs one and remembers it. */
  run(name: string, command: string, ...args: readonly string[]): Promise<Outcome>;
  /** The same for a question, which is no step of the update. */
  ask(command: string, ...args: readonly string[]): Promise<Outcome>;
}

export interface StepsDeps {
  readonly cwd: string;
  readonly env: Env;
  readonly clock: Clock;
  /** From the first of them on. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  begins(name: string): void;
}

const TAIL = 8000;
/** Enough for any build, and an end for one that writes for ever. */
const MAX_OUTPUT = 32 * 1024 * 1024;
/** Looked through for secrets: a few times what is shown, so that no secret is cut in half. */
const SCANNED = 4 * TAIL;
/** What reaches a private remote or registry; and what would only hide that it cannot be reached. */
const PASS = [
  'SSH_AUTH_SOCK',
  'GIT_SSH_COMMAND',
  'GIT_ASKPASS',
  'NPM_TOKEN',
  'NODE_AUTH_TOKEN',
  'NPM_CONFIG_USERCONFIG',
];

/**
 * Where git would look instead of in the checkout, and settings it would take besides its files, when we were started
 * from a hook of another one.
 */
const ELSEWHERE =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CEILING_DIRECTORIES|PREFIX|QUARANTINE_PATH|EXTERNAL_DIFF|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_(?:KEY|VALUE)_\d+)$/;

/** The folder of git is no place an update takes programs from; these outrank its settings. */
const GIT_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
];
const GIT_VARS = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
  ...Object.fromEntries(
    GIT_SETTINGS.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};

export function createSteps({ cwd, env, clock, timeoutMs, signal, begins }: StepsDeps): Steps {
  const done: UpdateStep[] = [];
  const state: { endsAt: number | undefined } = { endsAt: undefined };
  const plain = Object.fromEntries(Object.entries(env.vars).filter(([name]) => !ELSEWHERE.test(name)));
  const vars = childEnv(plain, {
    pass: PASS,
    // `npm ci` removes node_modules, and with it the programs that npm put first on PATH. A relative entry would mean
    // the checkout's own files.
    extra: {
      PATH: (env.vars['PATH'] ?? '')
        .split(delimiter)
        .filter((folder) => isAbsolute(folder) && folder !== join(cwd, 'node_modules', '.bin'))
        .join(delimiter),
      ...GIT_VARS,
      LC_ALL: 'C',
      npm_config_update_notifier: 'false',
    },
  });
  const start = async (command: string, args: readonly string[]) => {
    state.endsAt ??= clock.monotonic() + timeoutMs;
    const left = state.endsAt - clock.monotonic();
    const result = await exec({
      command,
      args,
      cwd,
      env: vars,
      timeoutMs: Math.max(1, left),
      maxOutputBytes: MAX_OUTPUT,
      signal,
    });
    const failed =
      result.kind === 'exited'
        ? result.code === 0
          ? undefined
          : `ended with code ${result.code}`
        : result.kind === 'not_started'
          ? result.reason
          : result.kind === 'timeout'
            ? 'took too long'
            : result.kind === 'aborted'
              ? 'was stopped'
              : `ended badly (${result.kind})`;
    return {
      result,
      outcome: present({ ok: failed === undefined, text: result.stdout.toString('utf8').trim(), failed }),
    };
  };
  return {
    done,
    ask: async (command, ...args) => (await start(command, args)).outcome,
    async run(name, command, ...args) {
      begins(name);
      const { result, outcome } = await start(command, args);
      done.push({
        name,
        command: clean([command, ...args].join(' ')),
        cwd,
        durationMs: Math.round(result.ms),
        log: {
          stdoutTail: tail(result.stdout),
          stderrTail: tail(result.stderr),
          exitCode: result.kind === 'exited' ? result.code : null,
        },
      });
      return outcome;
    },
  };
}

function tail(output: Buffer | string): string {
  const end = typeof output === 'string' ? output.slice(-SCANNED) : output.subarray(-SCANNED).toString('utf8');
  return clean(end).slice(-TAIL);
}

/** Addresses of remotes may carry a token alone, which no rule for passwords knows. */
const clean = (text: string): string =>
  redactText(text.replaceAll(/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"']{1,2000}@/gi, '$1***@'));
