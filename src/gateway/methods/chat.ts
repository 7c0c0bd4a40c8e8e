/** Serves `chat.*`: sends messages to an agent, reads the conversation, stops runs. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { parseSessionKey } from '../../core/session-key.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import type { Answers } from '../../protocol/answers.ts';
import {
  chatAbortParams,
  chatFileParams,
  chatHistoryParams,
  chatInjectParams,
  chatSendParams,
  chatTimelineParams,
  FILE_PART_BYTES,
  type ChatSendParams,
} from '../../protocol/chat.ts';
import type { ChatReceipt, ChatRequest } from '../../host/chat.ts';
import { readFiles } from './attachments.ts';
import { historyMessages } from './history.ts';
import { announceSession, method, more, refuse, sessionKeyOf, type Call, type Methods } from './method.ts';
import { sendAsOwn } from './own-run.ts';
import { thinkingLevel } from './turn-options.ts';

const DEFAULT_HISTORY = 200;
/** A whole message that means: stop what you are doing. */
const STOP_WORDS = new Set(['stop', 'esc', 'abort', 'wait', 'exit', 'interrupt']);

export const chatMethods: Methods = {
  'chat.send': method({
    summary: 'Sends a message to an agent; the answer arrives as `chat` events.',
    needs: 'operator.write',
    params: chatSendParams,
    run: sendChat,
  }),

  'chat.history': method({
    summary:
      'Returns the newest messages of a session and the answer in progress; `hasMore` and `nextOffset` ' +
      'lead to older ones.',
    needs: 'operator.read',
    params: chatHistoryParams,
    heavy: true,
    async run(params, call) {
      const sessionKey = sessionKeyOf(call, params.sessionKey, params.agentId);
      const limit = params.limit ?? DEFAULT_HISTORY;
      const offset = params.offset ?? 0;
      // one more tells whether there are more
      const history = await call.services.chat.history({ sessionKey, limit: limit + offset + 1 });
      const before = history.messages.slice(0, Math.max(0, history.messages.length - offset));
      const shown = historyMessages(before.slice(-limit), {
        maxBytes: call.limits.maxHistoryBytes,
        maxChars: params.maxChars,
      });
      const running = call.services.chat
        .active(history.sessionKey)
        .filter((run) => !run.queued)
        .at(0);
      return {
        ...history,
        messages: shown.messages,
        ...more(shown.taken < before.length, offset + shown.taken),
        ...present({
          inFlightRun: running
            ? present({ runId: running.runId, text: running.text, progress: running.progress || undefined })
            : undefined,
        }),
      };
    },
  }),

  'chat.file': method({
    summary:
      'Returns the bytes of a file of a session as base64, at most 1 MiB at a time; `nextOffset` ' +
      'where more follow.',
    needs: 'operator.read',
    params: chatFileParams,
    heavy: true,
    async run({ sessionKey: raw, agentId, id, offset = 0 }, call) {
      const sessionKey = sessionKeyOf(call, raw, agentId);
      const { data, size } = await call.services.chat.file({ sessionKey, id }, { offset, bytes: FILE_PART_BYTES });
      const content = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
      return { id, size, offset, content, ...more(offset + data.length < size, offset + data.length) };
    },
  }),

  'chat.abort': method({
    summary: 'Stops one run, or everything in a session.',
    needs: 'operator.write',
    params: chatAbortParams,
    run: async (params, call) =>
      abort(call, { sessionKey: sessionKeyOf(call, params.sessionKey, params.agentId), runId: params.runId }),
  }),

  'chat.inject': method({
    summary: 'Appends a note to a session without asking a model.',
    needs: 'operator.admin',
    params: chatInjectParams,
    async run({ sessionKey: raw, agentId, message, label }, call) {
      const sessionKey = sessionKeyOf(call, raw, agentId);
      const { messageId } = await call.services.chat.inject(present({ sessionKey, message, label }));
      const text = label ? `[${label}]\n\n${message}` : message;
      call.hub.publish('chat', {
        runId: `inject-${messageId}`,
        sessionKey,
        agentId: agentOf(sessionKey, call),
        seq: 0,
        state: 'final',
        message: { role: 'assistant', content: [{ type: 'text', text }], timestamp: call.clock.now() },
      });
      announceSession(call, sessionKey, 'message');
      return { ok: true, messageId };
    },
  }),

  'chat.timeline': method({
    summary: 'Returns the timeline of one message, stage by stage.',
    needs: 'operator.read',
    params: chatTimelineParams,
    run: async ({ runId }, { services }) => ({ runId, entries: await services.chat.timeline(runId) }),
  }),
};

async function sendChat(params: ChatSendParams, call: Call): Promise<Answers['chat.send']> {
  const sessionKey = sessionKeyOf(call, params.sessionKey, params.agentId);
  const files = readFiles(params.attachments ?? [], call.limits.maxAttachmentBytes);
  const text = params.message;
  if (text.trim() === '' && files.length === 0) throw refuse('chat.send needs a message or a file');
  if (files.length === 0 && !params.suppressCommandInterpretation && meansStop(text, sessionKey, call))
    return abort(call, { sessionKey });

  return acknowledge(await sendAsOwn(call, chatRequest(params, { sessionKey, files, call })));
}

/** With nothing to stop, a bare "wait" is something said to the agent. */
function meansStop(text: string, sessionKey: string, { services }: Call): boolean {
  const word = text.trim().toLowerCase();
  return word === '/stop' || (STOP_WORDS.has(word) && services.chat.active(sessionKey).length > 0);
}

function chatRequest(
  params: ChatSendParams,
  { sessionKey, files, call }: { sessionKey: string; files: NonNullable<ChatRequest['attachments']>; call: Call },
): ChatRequest {
  const { displayName } = call.connection.peer.client;
  return {
    runId: params.idempotencyKey,
    sessionKey,
    text: params.message,
    principal: call.principal,
    options: { ...thinkingLevel(params.thinking), ...present({ timeoutMs: params.timeoutMs || undefined }) },
    ...present({
      attachments: files.length > 0 ? files : undefined,
      senderName: displayName || undefined,
      queue: params.queueMode,
      commands: params.suppressCommandInterpretation ? false : undefined,
    }),
  };
}

/** A repeated id says what became of the first one. */
function acknowledge({ runId, sessionKey, status, outcome }: ChatReceipt): Answers['chat.send'] {
  if (status !== 'done') return { runId, sessionKey, status };
  throwIfFailed(outcome);
  return { runId, sessionKey, status: 'ok' };
}

export function throwIfFailed(outcome: TurnOutcome | undefined): void {
  if (outcome?.kind === 'failed')
    throw new AppError('unavailable', outcome.message, { details: { code: outcome.code } });
}

async function abort(
  { services }: Call,
  { sessionKey, runId }: { sessionKey: string; runId?: string | undefined },
): Promise<Answers['chat.abort']> {
  const { aborted, runIds } = await services.chat.abort(present({ sessionKey, runId }));
  return { ok: true, aborted, runIds };
}

const agentOf = (sessionKey: string, { services }: Call): string =>
  parseSessionKey(sessionKey)?.agentId ?? services.agents.defaultId();
