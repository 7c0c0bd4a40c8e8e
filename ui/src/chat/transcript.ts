/**
 * Converts the messages of `chat.history` into items: tool results join their calls, one turn becomes one answer.
 * Pure.
 */
import type { AgentMessage, PersonMessage, ResultMessage, WireBlock, WireMessage } from '../gateway/wire.ts';
import { isPicture } from './file-kind.ts';
import { canvasIn, contentOfTool, contentOfAnswer } from './answer-content.ts';
import type { AnswerItem, AnswerPart, AnswerStatus, ChatItem, ImageView, PersonItem, ToolPart } from './items.ts';

/** Keys are the same in a running answer and in the history, so that elements are reused when a run ends. */
export const personKey = (runId: string): string => `person:${runId}`;
export const answerKey = (runId: string): string => `answer:${runId}`;

/** An answer whose messages are still being collected. */
interface Draft {
  readonly kind: 'draft';
  item: AnswerItem;
  readonly parts: AnswerPart[];
}

export function itemsOfHistory(messages: readonly WireMessage[]): readonly ChatItem[] {
  const items: (ChatItem | Draft)[] = [];
  const used = new Set<string>();
  let open: Draft | undefined;
  const unique = (key: string): string => {
    let name = key;
    for (let n = 2; used.has(name); n++) name = `${key}:${n}`;
    used.add(name);
    return name;
  };
  messages.forEach((message, index) => {
    const name = runIdOf(message) ?? message.__openclaw.id ?? `${message.timestamp}.${index}`;
    if (message.role === 'user') {
      open = undefined;
      items.push(personItem(message, unique(personKey(name))));
    } else if (message.role === 'assistant') {
      if (open && isNoticeOf(open.item, message))
        return void open.parts.splice(
          open.parts.findIndex(({ type }) => type !== 'notice'),
          0,
          { type: 'notice', text: textOfMessage(message) },
        );
      if (!open || !sameTurn(open.item, message)) {
        open = { kind: 'draft', item: emptyAnswer(message, unique(answerKey(name))), parts: [] };
        items.push(open);
      }
      addAssistant(open, message);
    } else if (message.role === 'toolResult' && open) joinResult(open.parts, message);
  });
  return items.flatMap((entry): readonly ChatItem[] => (entry.kind === 'draft' ? closeDraft(entry) : [entry]));
}

export const runIdOf = (message: WireMessage): string | undefined =>
  message.__openclaw.runId ?? message.__openclaw.idempotencyKey;

const sameTurn = (item: AnswerItem, message: AgentMessage): boolean =>
  message.stopReason !== 'injected' &&
  (runIdOf(message) === undefined || item.runId === undefined || item.runId === runIdOf(message));

/** Notices are shown before the answer, as they were sent, although the transcript has them after it. */
const isNoticeOf = (item: AnswerItem, message: AgentMessage): boolean =>
  message.stopReason === 'injected' && item.runId !== undefined && item.runId === runIdOf(message);

export const imagesOf = (blocks: readonly WireBlock[]): readonly ImageView[] =>
  blocks.flatMap((block) =>
    block.type === 'image' && isPicture({ mime: block.mimeType })
      ? [{ src: `data:${block.mimeType};base64,${block.data}` }]
      : [],
  );

export const textOfMessage = ({ content }: { readonly content: readonly WireBlock[] }): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

const entryOf = ({ __openclaw: { id } }: WireMessage): { readonly entryId?: string } =>
  id === undefined ? {} : { entryId: id };

function personItem(message: PersonMessage, key: string): PersonItem {
  return {
    kind: 'person',
    key,
    ...wordsOf(message),
    at: message.timestamp,
    ...(message.system ? { system: true } : {}),
    ...entryOf(message),
    ...(runIdOf(message) === undefined ? {} : { runId: runIdOf(message)! }),
  };
}

/**
 * If `written` is present, text and files are the person's own, and so are the pictures, except pages of a document.
 */
function wordsOf(message: PersonMessage): Pick<PersonItem, 'text' | 'images' | 'files' | 'agentText' | 'by'> {
  const text = textOfMessage(message);
  const pictures = imagesOf(message.content);
  if (!message.written) return { text, images: pictures, files: [] };
  const { written } = message;
  const sent = written.files.filter(isPicture).length;
  const images =
    sent > 0 || written.files.some(({ mime }) => mime === 'application/pdf') ? pictures.slice(0, sent) : pictures;
  let shown = images.length;
  const files = written.files.filter((file) => !isPicture(file) || --shown < 0);
  const by = written.by === undefined ? {} : { by: written.by };
  return {
    text: written.text,
    images,
    files,
    ...by,
    ...(text.trim() === written.text.trim() ? {} : { agentText: text }),
  };
}

const emptyAnswer = (message: AgentMessage, key: string): AnswerItem => ({
  kind: 'answer',
  key,
  parts: [],
  at: message.timestamp,
  status: 'done',
  ...(runIdOf(message) === undefined ? {} : { runId: runIdOf(message)! }),
});

function addAssistant(open: Draft, message: AgentMessage): void {
  for (const block of message.content) {
    if (block.type === 'text' && block.text.trim()) open.parts.push({ type: 'text', text: block.text });
    else if (block.type === 'thinking' && block.thinking.trim())
      open.parts.push({ type: 'thinking', text: block.thinking });
    else if (block.type === 'toolCall') open.parts.push(toolPart(block, message.timestamp));
  }
  open.parts.push(...canvasIn(message), ...contentOfAnswer(message));
  const tokens = (open.item.tokens ?? 0) + message.usage.output;
  open.item = {
    ...open.item,
    ...entryOf(message),
    status: statusOf(message),
    ...(message.model ? { model: message.provider ? `${message.provider}/${message.model}` : message.model } : {}),
    ...(tokens > 0 ? { tokens } : {}),
    ...(message.errorMessage ? { error: message.errorMessage } : {}),
  };
}

const toolPart = (block: Extract<WireBlock, { readonly type: 'toolCall' }>, at: number): ToolPart => ({
  type: 'tool',
  callId: block.id,
  name: block.name,
  args: block.arguments,
  state: 'running',
  output: '',
  images: [],
  startedAt: at,
});

const statusOf = (message: AgentMessage): AnswerStatus =>
  message.stopReason === 'aborted' ? 'aborted' : message.stopReason === 'error' ? 'failed' : 'done';

function joinResult(parts: AnswerPart[], message: ResultMessage): void {
  const at = parts.findIndex((part) => part.type === 'tool' && part.callId === message.toolCallId);
  const call = parts[at];
  if (call?.type !== 'tool') return;
  const ms = call.startedAt === undefined ? undefined : message.timestamp - call.startedAt;
  const joined: ToolPart = {
    ...call,
    state: message.isError ? 'error' : 'ok',
    output: textOfMessage(message),
    images: imagesOf(message.content),
    ...(message.details === undefined ? {} : { details: message.details }),
    ...(ms !== undefined && ms >= 0 ? { ms } : {}),
  };
  parts.splice(at, 1, joined, ...contentOfTool(message.details));
}

/** An answer without content is shown only if it failed. */
function closeDraft({ item, parts }: Draft): readonly AnswerItem[] {
  return parts.length === 0 && item.status === 'done' ? [] : [{ ...item, parts }];
}
