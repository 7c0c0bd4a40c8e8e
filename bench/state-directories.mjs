/**
 * Scratch state directories: empty, configured for the mock model, or holding many sessions in the product's own
 * format.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TRANSCRIPT_EVERY = 10;
const MINUTE_MS = 60_000;

/** A place for a whole run: `{ make(name), [Symbol.dispose]() }`. */
export function scratch() {
  const base = mkdtempSync(join(tmpdir(), 'clawdbot-bench-'));
  return {
    make(name) {
      const dir = join(base, `${name}-${randomUUID().slice(0, 8)}`);
      mkdirSync(dir, { mode: 0o700 });
      return dir;
    },
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Points the gateway at the mock model and opens the OpenAI surface; `more` adds top-level parts. */
export function configure(dir, mockPort, more = {}) {
  const config = {
    gateway: { http: { endpoints: { chatCompletions: { enabled: true } } } },
    models: {
      providers: {
        mock: {
          baseUrl: `http://127.0.0.1:${mockPort}/v1`,
          apiKey: 'none',
          api: 'openai-completions',
          models: [{ id: 'mock', name: 'mock', contextWindow: 128_000, maxTokens: 4096 }],
        },
      },
    },
    agents: { defaults: { model: { primary: 'mock/mock' } } },
    ...more,
  };
  writeFileSync(join(dir, 'clawdbot.json'), JSON.stringify(config, null, 2));
  return dir;
}

/** Writes `sessions.json` with `count` entries, one a line, and a short transcript for every tenth. */
export function fillSessions(dir, count) {
  const folder = join(dir, 'agents/main/sessions');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const now = Date.now();
  const lines = Array.from({ length: count }, (_, index) => {
    const key = `agent:main:bench-${index}`;
    const at = now - (index + 1) * MINUTE_MS;
    const sessionId = randomUUID();
    if (index % TRANSCRIPT_EVERY === 0)
      writeFileSync(join(folder, `${sessionId}.jsonl`), transcript({ key, sessionId, at }), { mode: 0o600 });
    return `  ${JSON.stringify(key)}: ${JSON.stringify(entry(sessionId, at))}`;
  });
  writeFileSync(join(folder, 'sessions.json'), `{\n${lines.join(',\n')}\n}\n`, { mode: 0o600 });
  return dir;
}

/** One more session in the store that `fillSessions` wrote. */
export function addEntry(dir, key, added) {
  const path = join(dir, 'agents/main/sessions/sessions.json');
  const text = readFileSync(path, 'utf8').replace(/^\{\n/, `{\n  ${JSON.stringify(key)}: ${JSON.stringify(added)},\n`);
  writeFileSync(path, text, { mode: 0o600 });
}

/** The fields a session has after some turns. */
function entry(sessionId, at) {
  return {
    sessionId,
    createdAt: at - 60 * MINUTE_MS,
    updatedAt: at,
    lastUserActivityAt: at,
    inputTokens: 4200,
    outputTokens: 310,
    totalTokens: 2100,
    contextTokens: 128_000,
    compactionCount: 0,
    modelProvider: 'mock',
    model: 'mock',
    channel: 'webchat',
    chatType: 'direct',
  };
}

function transcript({ key, sessionId, at }) {
  const timestamp = new Date(at).toISOString();
  const turnId = randomUUID();
  const message = (id, role, text, more = {}) => ({
    type: 'message',
    id,
    turnId,
    message: { role, content: [{ type: 'text', text }], timestamp: at },
    timestamp,
    ...more,
  });
  const lines = [
    { type: 'session', version: 3, id: sessionId, timestamp, cwd: '/tmp', sessionKey: key },
    message('00000001', 'user', 'What is on my list for today?'),
    message('00000002', 'assistant', 'Three things: the dentist at nine, the letter to the bank, and bread.', {
      parentId: '00000001',
    }),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
