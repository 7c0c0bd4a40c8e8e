/** Asks one entry about one file and records how that went. */
import { AppError, asAppError } from '../../../../core/errors.ts';
import type { MediaEntry } from '../../../../config/understanding-config.ts';
import { present } from '../../../../core/present.ts';
import type { Attempt, MediaCapability } from '../../../../core/understanding.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { sizeText } from '../../../../core/size-text.ts';
import { withDeadline } from '../../../../platform/deadline.ts';
import { askVendor, type Answer, type Question } from './ask-vendor.ts';
import { isCommand } from './configured-entries.ts';
import { limitsOf } from './limits.ts';
import type { LocalMedia } from '../local/local-media.ts';
import type { MediaModels } from '../media-models.ts';
import { spokenText } from './silence.ts';
import { trimText } from '../../trim-text.ts';

export interface TryDeps {
  readonly models: MediaModels;
  readonly local: Pick<LocalMedia, 'runEntry'>;
  readonly clock: Clock;
}

export interface Tried {
  readonly attempt: Attempt;
  /** Not blank; absent when nothing came of it. */
  readonly text?: string;
  /** The file left this machine, and not only to be refused for a key that was missing or wrong. */
  readonly sent: boolean;
}

/** Rejects only with `aborted`. */
export async function tryEntry(question: Question, deps: TryDeps): Promise<Tried> {
  const { entry, capability, context, file } = question;
  const since = deps.clock.monotonic();
  context.progress(
    `${VERBS[capability]} ${file.name} with ` +
      `${entry.command ?? [entry.provider, entry.model].filter(Boolean).join('/')}`,
  );
  let usedModel: string | undefined;
  const { text, refused, ...end } = await ended(question, deps, (model) => {
    usedModel = model;
  });
  const attempt: Attempt = {
    ...label(entry),
    ...present({ model: usedModel }),
    ...end,
    ms: Math.round(deps.clock.monotonic() - since),
  };
  context.log[attempt.outcome === 'failed' ? 'warn' : 'debug']('media.attempt', {
    capability,
    attachment: file.index,
    ...attempt,
  });
  return present({ attempt, sent: usedModel !== undefined && !refused, text: text || undefined });
}

const VERBS: Readonly<Record<MediaCapability, string>> = {
  image: 'Looking at',
  audio: 'Listening to',
  video: 'Watching',
};

/** How an entry is called in a record before it has answered. */
function label(entry: MediaEntry): Pick<Attempt, 'type' | 'command' | 'provider' | 'model'> {
  if (!isCommand(entry))
    return present({ type: 'provider', provider: entry.provider || undefined, model: entry.model || undefined });
  return present({
    type: 'cli',
    command: entry.command || undefined,
    provider: entry.command || undefined,
    model: entry.command || undefined,
  });
}

interface Ending extends Pick<Attempt, 'outcome' | 'reason' | 'provider' | 'model'> {
  readonly text?: string;
  /** For want of a key that is accepted. */
  readonly refused?: boolean;
}

async function ended(question: Question, deps: TryDeps, onSend: (model: string) => void): Promise<Ending> {
  const { capability, block, entry, context } = question;
  try {
    const { text, provider, model, change } = await ask(question, deps, onSend);
    const said = trimText(
      capability === 'audio' ? spokenText(text) : text,
      limitsOf(capability, block, entry).maxChars ?? MAX_CHARS,
    );
    return said
      ? present({ provider, model, outcome: 'success', text: said, reason: change || undefined })
      : { outcome: 'skipped', reason: 'empty output' };
  } catch (error) {
    if (context.signal.aborted) throw asAppError(error, 'aborted');
    const failure = asAppError(error);
    return { ...failed(failure), refused: failure.code === 'auth' };
  }
}

/** Hours of speech; more than that is a command gone wild, and would fill any model's window. */
const MAX_CHARS = 200_000;

/** A command keeps its own time: it is killed when that is up and its files are gone before it ends. */
function ask(question: Question, { models, local, clock }: TryDeps, onSend: (model: string) => void): Promise<Answer> {
  const { entry, file, capability, block, context } = question;
  const limits = limitsOf(capability, block, entry);
  if ((file.size ?? 0) > limits.maxBytes)
    throw new AppError('too_large', `it is larger than ${sizeText(limits.maxBytes)}`);
  if (isCommand(entry)) return local.runEntry(entry, file, capability, limits, context);
  const { timeoutMs } = limits;
  const late = `no answer within ${timeoutMs / 1000} s`;
  return withDeadline({ clock, timeoutMs, signal: context.signal, late, stopped: 'The turn was stopped.' }, (signal) =>
    askVendor({ ...question, limits, signal, onSend }, models),
  );
}

/** Longer than this, a reason tells a story. */
const MAX_REASON = 300;

/**
 * A stable word first, where there is one. What was never going to work is skipped, what should have worked has failed.
 */
function failed({ code, message }: AppError): Pick<Attempt, 'outcome' | 'reason'> {
  const text = trimText(message.replace(/\s+/g, ' '), MAX_REASON);
  if (code === 'too_large') return { outcome: 'skipped', reason: `maxBytes: ${text}` };
  if (code === 'unsupported') return { outcome: 'skipped', reason: `unsupported: ${text}` };
  return { outcome: 'failed', reason: code === 'timeout' ? `timeout: ${text}` : text };
}
