/** The methods of the fake gateway. */
import { entryOf, healthOf, listOf, sessionsPath, statusOf } from './fake-answers.ts';
import type { SentFile } from './fake-script.ts';
import { LOG_FILE, type FakeState } from './fake-state.ts';

type Params = Record<string, unknown>;
const failure = (message: string, details?: unknown): Error =>
  Object.assign(new Error(message), { code: 'INVALID_REQUEST', details });
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export async function answerMethod(state: FakeState, method: string, params: Params = {}): Promise<unknown> {
  const key = text(params['sessionKey'] ?? params['key']);
  switch (method) {
    case 'status':
      return statusOf(state);
    case 'understanding.status':
      return {
        abilities: [
          { kind: 'link', on: false, by: [] },
          { kind: 'image', on: true, by: ['anthropic/claude-sonnet-4-5'], shown: true },
          { kind: 'audio', on: true, by: ['whisper-cli', 'groq'] },
          { kind: 'video', on: true, by: [] },
          { kind: 'file', on: true, by: ['documents'] },
        ],
      };
    case 'health':
      return healthOf(state);
    case 'system-presence':
      return [
        { ts: Date.now(), host: 'gateway', mode: 'gateway', platform: 'linux', version: '0.1.0' },
        { ts: Date.now() - 60_000, host: 'Control UI', mode: 'ui', platform: 'web' },
      ];
    case 'sessions.list':
      return listOf(
        state,
        rows(state).filter((row) => bears(row, params)),
      );
    case 'sessions.subscribe':
      return { subscribed: true };
    case 'sessions.patch':
      for (const mark of ['pinned', 'archived'])
        if (params[mark] !== undefined) state.session(key).row[mark] = params[mark] || undefined;
      if (params['label'] === undefined) return { ok: true, path: sessionsPath(), key, entry: entryOf(state, key) };
      return rename(state, key, params['label']);
    case 'sessions.branch':
      return branch(state, key, params);
    case 'sessions.reset':
      state.session(key).messages.length = 0;
      return { ok: true, key, entry: entryOf(state, key) };
    case 'sessions.delete':
      return { ok: true, key, deleted: state.sessions.delete(key), archived: [] };
    case 'chat.file': {
      const content = state.files.get(text(params['id']));
      if (content === undefined) throw failure('The file is not kept any more.');
      return { id: params['id'], size: content.length, offset: 0, content: content.toString('base64'), hasMore: false };
    }
    case 'chat.history':
      return history(state, key, Number(params['limit'] ?? 200));
    case 'chat.send':
      return send(state, key, params);
    case 'chat.abort': {
      const runIds = state.abort(key);
      return { ok: true, aborted: runIds.length > 0, runIds };
    }
    case 'chat.timeline':
      return { runId: params['runId'], entries: state.timelines.get(text(params['runId'])) ?? [] };
    case 'agent.wait':
      return waited(state, text(params['runId']));
    case 'config.get':
      return {
        path: '~/.clawdbot/clawdbot.json',
        exists: true,
        raw: state.config.raw,
        valid: state.config.valid,
        hash: state.config.hash,
        parsed: {},
        config: {},
        source: 'file',
        safeMode: state.safeMode,
        issues: state.config.issues.map((issue) => ({ message: issue.problem, ...issue })),
        warnings: [],
        legacyIssues: [],
      };
    case 'config.set':
      return saveConfig(state, params);
    case 'logs.subscribe':
    case 'logs.unsubscribe':
      return { subscribed: method === 'logs.subscribe' };
    case 'logs.tail':
      return {
        file: LOG_FILE,
        cursor: state.logs.length,
        size: state.logs.length,
        lines: state.logs.slice(Number(params['cursor'] ?? 0)),
        truncated: false,
        reset: false,
      };
    case 'device.pair.list':
      return state.devices;
    case 'device.pair.approve':
      return decide(state, params, true);
    case 'device.pair.reject':
      return decide(state, params, false);
    case 'device.pair.remove':
      state.devices.paired = state.devices.paired.filter((device) => device['deviceId'] !== params['deviceId']);
      return { deviceId: params['deviceId'] };
    default: {
      const answer =
        state.exec.answer(method, params) ?? state.channels.answer(method, params) ?? state.cron.answer(method, params);
      if (answer === undefined) throw failure(`unknown method ${method}`);
      return answer;
    }
  }
}

function history(state: FakeState, key: string, limit: number): object {
  const session = state.sessions.get(key);
  const run = [...state.runs.values()].find((entry) => entry.sessionKey === key);
  return {
    sessionKey: key,
    messages: (session?.messages ?? [])
      .map((message, index) => ({ ...message, __openclaw: { id: `f${index}`, ...(message.__openclaw as object) } }))
      .slice(-limit),
    hasMore: false,
    ...(run ? { inFlightRun: { runId: run.runId, text: run.text } } : {}),
  };
}

function send(state: FakeState, key: string, params: Params): object {
  const { refuse } = state;
  state.refuse = undefined;
  if (refuse) throw failure(refuse);
  const files = (params['attachments'] ?? []) as SentFile[];
  return state.send({ runId: text(params['idempotencyKey']), key, text: text(params['message']), files });
}

const bears = (row: Record<string, unknown>, params: Params): boolean =>
  ['pinned', 'archived'].every((mark) => params[mark] === undefined || (row[mark] === true) === params[mark]);

function branch(state: FakeState, key: string, { entryId, before }: Params): object {
  const parent = state.session(key);
  const at = Number(/^f(\d+)$/.exec(text(entryId))?.[1] ?? -1);
  if (at < 0) throw failure(`Session ${key} has no message ${text(entryId)}`);
  const child = `agent:main:web:branch${state.sessions.size}`;
  const copied = parent.messages.slice(0, before === true ? at : at + 1);
  state.session(child).messages.push(...copied);
  Object.assign(state.session(child).row, {
    derivedTitle: parent.row['label'] ?? parent.row['derivedTitle'],
    branchedFrom: { key, sessionId: 's' },
    updatedAt: Date.now(),
  });
  return { ok: true, key: child, entry: entryOf(state, child), copied: copied.length };
}

function rename(state: FakeState, key: string, label: unknown): object {
  const taken = [...state.sessions.values()].some(
    ({ row }) => row.key !== key && row['label'] === label && label !== null,
  );
  if (taken) throw failure(`another conversation is called "${String(label)}"`);
  state.session(key).row['label'] = label ?? undefined;
  return { ok: true, path: sessionsPath(), key, entry: entryOf(state, key) };
}

function saveConfig(state: FakeState, params: Params): object {
  if (params['baseHash'] !== state.config.hash)
    throw failure('config changed since last load; re-run config.get and retry');
  if (text(params['raw']).includes('"nope"'))
    throw failure('the configuration is invalid', {
      issues: [
        { path: 'gateway.port', problem: 'expected a number, got "nope"', fix: 'use a port between 0 and 65535' },
      ],
    });
  state.config = { ...state.config, raw: text(params['raw']), hash: `h${Date.now()}` };
  return { ok: true, path: '~/.clawdbot/clawdbot.json', config: {}, hash: state.config.hash };
}

function decide(state: FakeState, { requestId }: Params, admit: boolean): object {
  const request = state.devices.pending.find((entry) => entry['requestId'] === requestId);
  if (!request) throw failure(`no request ${text(requestId)}`);
  state.devices.pending = state.devices.pending.filter((entry) => entry !== request);
  const { requestId: _id, role, isRepair: _repair, ts: _ts, ...facts } = request;
  if (!admit) return { requestId, deviceId: facts['deviceId'] };
  const now = Date.now();
  const device = { ...facts, roles: [role], tokens: [], createdAtMs: now, approvedAtMs: now };
  state.devices.paired.push(device);
  return { requestId, device };
}

/** Newest first. */
const rows = (state: FakeState): Record<string, unknown>[] =>
  [...state.sessions.values()]
    .map(
      ({ row, messages }): Record<string, unknown> => ({
        ...row,
        lastMessagePreview: previewOf(messages.at(-1)),
        ...([...state.runs.values()].some((run) => run.sessionKey === row.key) ? { status: 'running' } : {}),
      }),
    )
    .toSorted((a, b) => Number(b['updatedAt']) - Number(a['updatedAt']));

function waited(state: FakeState, runId: string): object {
  const status = state.ended.get(runId);
  if (!status) return { runId, status: 'timeout' };
  const times = { startedAt: state.startedAt, endedAt: Date.now() };
  return { runId, status, ...times, ...(status === 'error' ? { error: 'It failed.' } : {}) };
}

const previewOf = (message: { content: unknown } | undefined): string | undefined =>
  Array.isArray(message?.content)
    ? message.content
        .flatMap((block: { text?: string }) => (block.text ? [block.text] : []))
        .join(' ')
        .slice(0, 120)
    : undefined;
