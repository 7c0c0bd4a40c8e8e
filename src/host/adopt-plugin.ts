/** Wraps a third-party feature as a bundled one: limited to its own names, with failures isolated. */
import { z } from 'zod';
import { AppError, asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import { orTimeout } from '../platform/timeout.ts';
import type { Feature, FeatureParts } from './feature.ts';
import type { Host } from './host.ts';
import type { HttpMethods, HttpRoutes, HttpSurface } from './http/surface.ts';
import type { FoundPluginFeature, PluginHost, PluginParts, PluginRoutes } from './plugin-feature.ts';

/** Milliseconds for each of `create`, `start` and `close`. */
const TIMEOUT_MS = 10_000;
/** Characters of its section in the prompt of every turn. */
const MAX_PROMPT = 4000;

const fn = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', 'must be a function');
const table = z.record(z.string(), z.looseObject({})).optional();
const needs = z.enum([
  'own',
  'any',
  'node',
  'operator.read',
  'operator.write',
  'operator.admin',
  'operator.approvals',
  'operator.pairing',
]);
const partsShape = z.strictObject({
  methods: z.record(z.string(), fn).optional(),
  http: fn.optional(),
  prompt: fn.optional(),
  start: fn.optional(),
  close: fn.optional(),
});
const routesShape = z.strictObject({ needs, at: table, under: table, upgrades: table, close: fn.optional() });

/** `timeoutMs`: for tests. */
export function adoptPlugin(found: FoundPluginFeature, timeoutMs: number = TIMEOUT_MS): Feature {
  const { value, page } = found;
  return {
    id: value.id,
    from: found.path,
    summary: value.summary,
    ...present({ methods: value.methods, events: value.events, tools: value.tools, page }),
    async create(host) {
      const created = await inTime(async () => value.create(hostOf(found, host)), 'create', timeoutMs);
      const parts = checked<PluginParts>(partsShape, created, `${found.path}: what "create" returns`);
      const works = Object.keys(parts.methods ?? {});
      const missing = Object.keys(value.methods ?? {}).find((name) => !works.includes(name));
      if (missing !== undefined)
        throw new AppError('invalid', `${found.path}: the method ${missing} has no handler. Return it from "create".`);
      return contained(parts, found, host.machine.log, timeoutMs);
    },
  };
}

function hostOf({ value, settings }: FoundPluginFeature, { machine, agents, sessions, gateway }: Host): PluginHost {
  const events = Object.keys(value.events ?? {});
  return {
    machine: {
      log: machine.log.child({ plugin: value.id }),
      clock: machine.clock,
      version: machine.version,
      zone: machine.zone,
    },
    settings,
    agents: { ids: agents.ids, defaultId: agents.defaultId },
    sessions: { mainKey: sessions.mainKey },
    gateway: {
      publish(event, payload) {
        if (!events.includes(event))
          throw new AppError('invalid', `The plugin ${value.id} has no event "${event}". Declare it under "events".`);
        gateway.publish(event, payload);
      },
      startedAt: gateway.startedAt,
      accepting: gateway.accepting,
      closing: gateway.closing,
    },
  };
}

/** Whatever it throws at times nobody waits for is a line of the log, and the gateway goes on without that part. */
function contained(
  parts: PluginParts,
  { value: { id }, path }: FoundPluginFeature,
  log: Log,
  timeoutMs: number,
): FeatureParts {
  const broken = (error: unknown): undefined => void log.error('plugin.broken', brokenFields(id, path, error));
  const { methods, http, prompt, start, close } = parts;
  const work = (run: () => Promise<void>, what: string) => (): Promise<void> =>
    inTime(run, what, timeoutMs).catch(broken);
  return {
    ...present({ methods }),
    ...(prompt && {
      prompt(agentId) {
        try {
          const text: unknown = parts.prompt!(agentId);
          if (text === undefined) return undefined;
          if (typeof text === 'string' && text.length <= MAX_PROMPT) return text;
          throw new AppError('invalid', `Its prompt must be a text of at most ${MAX_PROMPT} characters. Shorten it.`);
        } catch (error) {
          return broken(error);
        }
      },
    }),
    ...(http && {
      http(surface) {
        try {
          const from = `${path}: what "http" returns`;
          return guarded(checked<PluginRoutes>(routesShape, parts.http!(surface), from), { id, path, surface });
        } catch (error) {
          broken(error);
          return {};
        }
      },
    }),
    ...present({
      start: start ? work(async () => parts.start!(), 'start') : undefined,
      close: close ? work(async () => parts.close!(), 'close') : undefined,
    }),
  };
}

interface Guarding {
  readonly id: string;
  readonly path: string;
  readonly surface: HttpSurface;
}

/** Beneath its own path only, and behind what it says callers need. */
function guarded(routes: PluginRoutes, { id, path, surface }: Guarding): HttpRoutes {
  const own = `/plugins/${id}`;
  const { at = {}, under = {}, upgrades = {}, close } = routes;
  const stray = [at, under, upgrades].flatMap(Object.keys).find((one) => one !== own && !one.startsWith(`${own}/`));
  if (stray !== undefined)
    throw new AppError('denied', `${path}: it may not serve ${stray}. Serve ${own} and paths below it.`);
  const behind = (methods: HttpMethods): HttpMethods =>
    Object.fromEntries(
      Object.entries(methods).map(([method, handle]) => [
        method,
        (request) => {
          if (routes.needs !== 'own') surface.access.authorize(request, routes.needs);
          return handle(request);
        },
      ]),
    );
  const each = (paths: Readonly<Record<string, HttpMethods>>) =>
    Object.fromEntries(Object.entries(paths).map(([one, methods]) => [one, behind(methods)]));
  return present({ at: each(at), under: each(under), upgrades, close });
}

/** What a line of the log says of a plugin: which, where it lies, what is wrong and what to do about it. */
export function brokenFields(id: string, path: string, error: unknown): Readonly<Record<string, unknown>> {
  const { code, message } = asAppError(error, 'invalid');
  return { plugin: id, path, code, problem: message, advice: 'Fix the plugin or remove it from plugins.load.paths.' };
}

function checked<T>(shape: z.ZodType, value: unknown, from: string): T {
  const result = shape.safeParse(value);
  if (result.success) return value as T;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  throw new AppError('invalid', `${from} is not valid for a plugin: ${problems.join('; ')}.`);
}

const inTime = <T>(work: () => Promise<T>, what: string, timeoutMs: number): Promise<T> =>
  orTimeout(Promise.resolve().then(work), {
    ms: timeoutMs,
    error: () => new AppError('timeout', `Its "${what}" did not finish within ${timeoutMs / 1000} s.`),
  });
