/** Sends one message to an agent and streams its answer. */
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import type { AgentStreamEvent, ChatEvent, ChatMessage } from '../protocol/answers/messages.ts';
import type { Flags } from './command.ts';
import type { AnswerFiles } from './answer-files.ts';
import type { GatewayLink } from './gateway-link.ts';
import type { ToolNews } from './tool-line.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

export type AnswerPart =
  /** The gateway has the message; the canonical key of its session. */
  | { readonly kind: 'accepted'; readonly sessionKey: string }
  /** A link or a file is being understood before the answer starts. */
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'tool'; readonly news: ToolNews }
  | {
      readonly kind: 'end';
      readonly state: 'final' | 'aborted' | 'error';
      readonly runId: string;
      readonly text: string;
      readonly error?: string;
      readonly usage?: unknown;
      readonly files: AnswerFiles;
    };

/** The session `--session` or `--agent` names; the gateway makes the key canonical. */
export const sessionOf = (flags: Flags): string =>
  flags.text('session') ?? (flags.has('agent') ? `agent:${flags.text('agent')}:main` : 'main');

/** Streams of a run that say more than `chat` does. */
const STREAMS: ReadonlySet<string> = new Set(['understanding', 'tool']);

interface Started {
  readonly runId?: string;
  readonly sessionKey?: string;
}

/**
 * Calls `method` (`chat.send` or `agent`) with `params` and yields what is said until the turn ends, which comes once
 * and last;
 * a signal that fires ends it without one. Throws `AppError`: what the gateway refuses, or `network` when it goes away
 * meanwhile.
 */
export async function* speak(
  link: GatewayLink,
  method: 'chat.send' | 'agent',
  params: Readonly<Record<string, unknown>> & { idempotencyKey: string },
  signal?: AbortSignal,
): AsyncGenerator<AnswerPart> {
  const events = chatEvents(link, signal);
  const { runId = params.idempotencyKey, sessionKey } = (await link.request<Started | undefined>(method, params)) ?? {};
  if (sessionKey !== undefined) yield { kind: 'accepted', sessionKey };
  let shown = '';
  for await (const event of events) {
    if (event.runId !== runId) continue;
    if ('stream' in event) {
      if (event.stream === 'understanding') yield { kind: 'progress', text: String(event.data['text']) };
      const news = event.stream === 'tool' ? toolNews(event.data) : undefined;
      if (news) yield { kind: 'tool', news };
      continue;
    }
    const text = textIn(event.message);
    const delta = event.state === 'delta' && event.replace ? `\n${text}` : wordsAfter(shown, text);
    if (delta) yield { kind: 'text', delta };
    if (event.state !== 'delta') {
      yield {
        kind: 'end',
        state: event.state,
        runId,
        text,
        ...present({
          error: event.state === 'error' ? event.errorMessage : undefined,
          usage: 'usage' in event ? event.usage : undefined,
        }),
        files: {
          sessionKey: event.sessionKey,
          sentBefore: event.message?.told ?? [],
          files: event.message?.files ?? [],
        },
      };
      return;
    }
    shown = text;
  }
}

/**
 * What of `text` is not shown yet. A slow reader misses updates and the last words come with the end only, so the whole
 * text counts; another message begins on a line of its own.
 */
function wordsAfter(shown: string, text: string): string {
  if (text.startsWith(shown)) return text.slice(shown.length);
  return shown.trim().endsWith(text.trim()) ? '' : `\n${text}`;
}

/** Listening begins at once, so nothing said before the first read is missed. */
function chatEvents(link: GatewayLink, signal?: AbortSignal): ReadableStream<ChatEvent | AgentStreamEvent> {
  let stop = (): void => {};
  return new ReadableStream<ChatEvent | AgentStreamEvent>({
    start(events) {
      const end = (): void => {
        stop();
        events.close();
      };
      const unsubscribe = link.onEvent((event, payload) => {
        if (event === 'chat') return events.enqueue(payload as ChatEvent);
        if (event === 'agent' && STREAMS.has((payload as AgentStreamEvent).stream))
          return events.enqueue(payload as AgentStreamEvent);
        if (event !== 'disconnected') return;
        stop();
        events.error(
          new AppError(
            'network',
            `The gateway closed the connection before the answer was complete. Run \`${OWN_COMMAND} sessions ` +
              `show <key>\` for what was received.`,
          ),
        );
      });
      stop = () => {
        unsubscribe();
        signal?.removeEventListener('abort', end);
      };
      signal?.addEventListener('abort', end);
    },
    cancel: () => stop(),
  });
}

/** What a tool does, or undefined for what is between its start and its end. */
function toolNews(data: AgentStreamEvent['data']): ToolNews | undefined {
  const name = typeof data['name'] === 'string' ? data['name'] : 'tool';
  if (data['phase'] === 'start') return { name, phase: 'start', args: data['args'] };
  if (data['phase'] !== 'result') return undefined;
  const result = data['result'] as { content?: readonly { type: string; text?: string }[] } | undefined;
  return present({
    name,
    phase: 'end' as const,
    failed: data['isError'] === true,
    output: (result?.content ?? []).map(({ text = '' }) => text).join(''),
    ms: typeof data['durationMs'] === 'number' ? data['durationMs'] : undefined,
  });
}

/** Words, and what is framed beside them where there are frames. */
const textIn = (message: ChatMessage | undefined): string =>
  (message?.content ?? [])
    .map((block) => (block.type === 'text' ? block.text : `\n${frameLine(block.preview)}`))
    .join('');

/** Title and address; what the gateway serves needs the Control UI around it. */
const frameLine = ({ title, url }: { readonly title?: string; readonly url: string }): string =>
  `[${title ?? 'Document'}] ${url.startsWith('https:') ? url : `is shown in the Control UI: ${OWN_COMMAND} dashboard`}`;
