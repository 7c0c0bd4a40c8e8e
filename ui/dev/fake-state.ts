/** The state of the fake gateway: sessions, transcripts, runs, configuration. */
import { randomUUID } from 'node:crypto';
import { FakeChannels } from './fake-channels.ts';
import { FakeCron } from './fake-cron.ts';
import { FakeExec } from './fake-exec.ts';
import { composedText, readingSteps, scriptFor, type SentFile, type Step } from './fake-script.ts';
import { sampleTimeline } from './sample-timeline.ts';

export interface FakeMessage {
  role: string;
  content: unknown;
  timestamp: number;
  [field: string]: unknown;
}
interface FakeSession {
  row: Record<string, unknown> & { key: string };
  messages: FakeMessage[];
}
interface FakeRun {
  runId: string;
  sessionKey: string;
  seq: number;
  agentSeq: number;
  text: string;
  aborted: boolean;
  wake?: () => void;
  model: string;
}

export const MAIN = 'agent:main:main';
export const LOG_FILE = '/tmp/clawdbot/clawdbot.log';
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

export class FakeState {
  readonly sessions = new Map<string, FakeSession>();
  readonly runs = new Map<string, FakeRun>();
  readonly ended = new Map<string, 'ok' | 'error'>();
  config = {
    raw: '// The gateway reads this file; comments stay.\n{\n  gateway: { port: 18789 },\n  agents: {\n    defaults: { model: { primary: "anthropic/claude-sonnet-4-5" } },\n  },\n}\n',
    hash: 'h1',
    valid: true,
    issues: [] as { path: string; problem: string; fix?: string }[],
  };
  model = { provider: 'anthropic', model: 'claude-sonnet-4-5', source: 'environment' };
  safeMode = false;
  storage: { ok: boolean; error?: string } = { ok: true };
  devices = { pending: [] as Record<string, unknown>[], paired: [] as Record<string, unknown>[] };
  logs: string[] = [];
  /** What `chat.file` answers, by id. */
  readonly files = new Map<string, Buffer>();
  timelines = new Map<string, object[]>();
  readonly exec: FakeExec;
  readonly channels: FakeChannels;
  readonly cron: FakeCron;
  /** What the page is allowed. */
  scopes = ['operator.admin'];
  readonly startedAt = Date.now() - 3_720_000;
  /** The next `chat.send` is refused with this. */
  refuse: string | undefined;
  #deps: { pace: number; broadcast(event: string, payload: unknown): void };
  #timers = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(deps: { pace: number; broadcast(event: string, payload: unknown): void }) {
    this.#deps = deps;
    this.exec = new FakeExec(deps.broadcast);
    this.channels = new FakeChannels(deps.broadcast);
    this.cron = new FakeCron(deps.broadcast);
    this.session(MAIN);
  }

  session(key: string): FakeSession {
    const known = this.sessions.get(key);
    if (known) return known;
    const created: FakeSession = {
      row: {
        key,
        sessionId: randomUUID(),
        updatedAt: Date.now(),
        channel: 'webchat',
        kind: 'direct',
        agentId: agentOf(key),
        isMain: key === MAIN,
      },
      messages: [],
    };
    this.sessions.set(key, created);
    return created;
  }

  /** A line of the log, told to those who follow. */
  logLine(record: object): void {
    const from = this.logs.length;
    const line = JSON.stringify(record);
    this.logs.push(line);
    this.#deps.broadcast('logs.lines', { file: LOG_FILE, from, cursor: from + 1, lines: [line], truncated: false });
  }

  hello(params: Record<string, unknown>, tickIntervalMs: number): object {
    const device = params['device'] as { id: string } | undefined;
    return {
      type: 'hello-ok',
      protocol: 4,
      server: { version: '0.1.0', bootId: 'boot', connId: randomUUID() },
      features: {
        methods: [
          'chat.send',
          'chat.timeline',
          'sessions.subscribe',
          'exec.approval.list',
          'process.list',
          'process.subscribe',
          'process.unsubscribe',
          'logs.subscribe',
          'logs.unsubscribe',
          'tools.explain',
          'sandbox.explain',
          'channels.capabilities',
          'channels.restart',
          'web.login.start',
          'channel.pairing.list',
          'access.recent',
          'access.explain',
          'cron.list',
          'cron.add',
          'sessions.branch',
          'last-heartbeat',
        ],
        events: ['chat', 'agent'],
      },
      snapshot: {
        presence: [],
        health: {},
        stateVersion: { presence: 1, health: 1 },
        uptimeMs: 1000,
        stateDir: '~/.clawdbot',
        configPath: '~/.clawdbot/clawdbot.json',
        sessionDefaults: { defaultAgentId: 'main', mainKey: 'main', mainSessionKey: MAIN, scope: 'per-sender' },
      },
      auth: { role: 'operator', scopes: this.scopes, ...(device ? { deviceToken: `device-${device.id}` } : {}) },
      policy: {
        maxPayload: 25 * 1024 * 1024,
        maxBufferedBytes: 50 * 1024 * 1024,
        tickIntervalMs,
        attachments: { maxBytes: 20 * 1024 * 1024, maxImageBytes: 10 * 1024 * 1024 },
      },
    };
  }

  /** Appends a message without a run, as another channel would. */
  append(key: string, message: Omit<FakeMessage, 'timestamp'> & { timestamp?: number }): void {
    const session = this.session(key);
    const { provider, model } = this.model;
    const facts = message.role === 'assistant' ? { provider, model, usage: NO_USAGE, stopReason: 'stop' } : {};
    const whole: object = { timestamp: Date.now(), __openclaw: {}, ...facts, ...message };
    session.messages.push(whole as FakeMessage);
    session.row['updatedAt'] = Date.now();
  }

  send({ runId, key, text, files }: { runId: string; key: string; text: string; files: SentFile[] }): {
    runId: string;
    sessionKey: string;
    status: string;
  } {
    if (this.ended.has(runId)) return { runId, sessionKey: key, status: 'ok' };
    if (this.runs.has(runId)) return { runId, sessionKey: key, status: 'in_flight' };
    const others = files.filter(({ mimeType }) => !mimeType.startsWith('image/'));
    const composed = composedText(text, others);
    const content = [
      ...(composed ? [{ type: 'text', text: composed }] : []),
      ...files
        .filter((file) => !others.includes(file))
        .map((image) => ({ type: 'image', mimeType: image.mimeType, data: image.content })),
    ];
    const written =
      composed === text
        ? {}
        : { written: { text, files: files.map((file) => ({ name: file.fileName ?? 'file', mime: file.mimeType })) } };
    this.append(key, { role: 'user', content, ...written, __openclaw: { runId, idempotencyKey: runId } });
    const session = this.session(key);
    session.row['derivedTitle'] ??= text.slice(0, 60);
    const run: FakeRun = {
      runId,
      sessionKey: key,
      seq: 0,
      agentSeq: 0,
      text: '',
      aborted: false,
      model: `${this.model.provider}/${this.model.model}`,
    };
    this.runs.set(runId, run);
    this.timelines.set(runId, sampleTimeline(composed !== text));
    void this.#perform(run, [...readingSteps(text, others), ...scriptFor(text)]);
    return { runId, sessionKey: key, status: 'started' };
  }

  abort(key: string): string[] {
    const running = [...this.runs.values()].filter((run) => run.sessionKey === key);
    for (const run of running) {
      run.aborted = true;
      run.wake?.();
    }
    return running.map((run) => run.runId);
  }

  /** Lets every run that is held go on. */
  release(): void {
    for (const run of this.runs.values()) run.wake?.();
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #perform(run: FakeRun, steps: readonly Step[]): Promise<void> {
    let begun = false;
    let message: { type: string; [field: string]: unknown }[] = [];
    const flush = (stopReason: string): void => {
      if (message.length > 0)
        this.append(run.sessionKey, {
          role: 'assistant',
          content: message,
          provider: this.model.provider,
          model: this.model.model,
          usage: { ...NO_USAGE, input: 900, output: 180, total: 1080 },
          stopReason,
          __openclaw: { runId: run.runId },
        });
      message = [];
    };
    for (const step of steps) {
      if (run.aborted || this.#stopped) break;
      if (step.do === 'understand') {
        await this.#paced(() => this.#agent(run, 'understanding', { text: step.text }));
        if (step.hold) await new Promise<void>((resolve) => (run.wake = resolve));
        continue;
      }
      if (!begun) this.#agent(run, 'lifecycle', { phase: 'start', ...this.model });
      begun = true;
      if (step.do === 'hold') await new Promise<void>((resolve) => (run.wake = resolve));
      else if (step.do === 'think') {
        for (const delta of pieces(step.text)) await this.#paced(() => this.#agent(run, 'thinking', { delta }));
        message.push({ type: 'thinking', thinking: step.text });
      } else if (step.do === 'say') {
        run.text = '';
        for (const deltaText of pieces(step.text)) {
          if (run.aborted) break;
          await this.#paced(() => this.#delta(run, deltaText));
        }
        message.push({ type: 'text', text: run.text });
      } else if (step.do === 'tool') {
        message.push({ type: 'toolCall', id: step.id, name: step.name, arguments: step.args });
        this.#agent(run, 'tool', { phase: 'start', name: step.name, toolCallId: step.id, args: step.args });
        const { output, fails, details } = await this.#carryOut(run, step);
        if (step.hold) await new Promise<void>((resolve) => (run.wake = resolve));
        await this.#paced(() => {});
        const result = {
          content: [
            { type: 'text', text: output },
            ...(step.image ? [{ type: 'image', mimeType: 'image/png', data: step.image }] : []),
          ],
          ...(details === undefined ? {} : { details }),
        };
        this.#agent(run, 'tool', { phase: 'result', name: step.name, toolCallId: step.id, result, isError: fails });
        flush('toolUse');
        this.append(run.sessionKey, {
          role: 'toolResult',
          toolCallId: step.id,
          toolName: step.name,
          ...result,
          isError: fails,
          __openclaw: { runId: run.runId },
        });
      } else if (step.do === 'fail') return this.#fail(run, step.message);
    }
    if (this.#stopped) return;
    flush(run.aborted ? 'aborted' : 'stop');
    this.runs.delete(run.runId);
    this.ended.set(run.runId, 'ok');
    this.#chat(
      run,
      run.aborted
        ? { state: 'aborted', stopReason: 'rpc', message: textMessage(run.text) }
        : { state: 'final', message: textMessage(run.text) },
    );
  }

  /** Asks first when the step says so, tells how it stands, and what came of it. */
  async #carryOut(
    run: FakeRun,
    step: Extract<Step, { do: 'tool' }>,
  ): Promise<{ output: string; fails: boolean; details?: unknown }> {
    const update = (partialResult: string): void =>
      this.#agent(run, 'tool', { phase: 'update', name: step.name, toolCallId: step.id, partialResult });
    if (step.asks) {
      const decided = this.exec.ask({ ...step.asks, sessionKey: run.sessionKey });
      update(`Waiting for approval ${[...this.exec.approvals.values()].at(-1)?.slug ?? ''}: answer in the Control UI`);
      const decision = await Promise.race([
        decided,
        new Promise<string>((resolve) => (run.wake = () => resolve('withdrawn'))),
      ]);
      if (decision === 'deny' || decision === 'withdrawn')
        return {
          output: 'Exec denied (gateway, user-denied).',
          fails: true,
          details: { status: 'refused', code: 'user-denied' },
        };
    }
    for (const text of step.progress ?? []) await this.#paced(() => update(text));
    if (step.background) this.exec.start({ ...step.background, sessionKey: run.sessionKey });
    return {
      output: step.output,
      fails: step.fails === true,
      ...(step.details === undefined ? {} : { details: step.details }),
    };
  }

  #fail(run: FakeRun, errorMessage: string): void {
    this.runs.delete(run.runId);
    this.ended.set(run.runId, 'error');
    this.#chat(run, { state: 'error', errorMessage, errorKind: 'unknown' });
  }

  #delta(run: FakeRun, deltaText: string): void {
    const replace = run.text === '' && run.seq > 0;
    run.text += deltaText;
    this.#chat(run, { state: 'delta', deltaText, message: textMessage(run.text), ...(replace ? { replace } : {}) });
  }

  #chat(run: FakeRun, body: object): void {
    const agentId = agentOf(run.sessionKey);
    this.#deps.broadcast('chat', { runId: run.runId, sessionKey: run.sessionKey, agentId, seq: run.seq++, ...body });
  }

  #agent(run: FakeRun, stream: string, data: object): void {
    this.#deps.broadcast('agent', {
      runId: run.runId,
      seq: run.agentSeq++,
      stream,
      ts: Date.now(),
      data: { sessionKey: run.sessionKey, ...data },
    });
  }

  #paced(act: () => void): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        act();
        resolve();
      }, this.#deps.pace);
      this.#timers.add(timer);
    });
  }
}

const agentOf = (key: string): string => key.split(':')[1] ?? 'main';

const textMessage = (text: string): object => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  timestamp: Date.now(),
});
const pieces = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];
