/**
 * Collects what a turn says into one text, delta by delta, without directives and without the marker for "say nothing".
 * A turn's deltas, joined, are the text of its answer.
 */
import { mayDirect, readDirectives } from '../../core/directives/read-directives.ts';
import { visibleChatPrefix, visiblePrefix } from '../../core/directives/visible-prefix.ts';
import { SILENT_REPLY } from '../../core/product.ts';
import { isSilent, maybeSilent } from '../../core/reply.ts';
import type { KeptFile, Shown } from '../../core/shown.ts';
import type { AgentEvent, TurnOutcome } from '../../core/turn.ts';

export interface SpokenText {
  observe(event: AgentEvent): void;
  /** What of the outcome's text was not heard yet is emitted now. Returns everything emitted. */
  finish(outcome: Exclude<TurnOutcome, { kind: 'failed' }>): string;
}

/** Characters in which a directive may begin that is not recognised as one yet, with the blanks of its line. */
const BEGUN = 24;
/** The marker stands in so many first characters, the blanks before it included. */
const MARKER_WITHIN = 256;
/** A text that holds directives is read anew after so many characters, or so great a part of it. */
const REREAD = { chars: 16, part: 0.02 };

export function createSpokenText(emit: (delta: string) => void = () => {}): SpokenText {
  const text = createVisibleText();
  let said = '';
  const notices: string[] = [];

  const sayMore = (delta: string): void => {
    if (delta === '') return;
    said += delta;
    emit(delta);
  };
  const say = (whole: string): void => {
    if (whole.startsWith(said)) sayMore(whole.slice(said.length));
  };

  return {
    observe(event) {
      if (event.type === 'notice') notices.push(event.text);
      if (event.type !== 'text') return;
      const seen = text.add(event.delta);
      if (seen.more !== undefined) sayMore(seen.more);
      if (seen.whole !== undefined) say(seen.whole);
    },
    finish(outcome) {
      const whole = wholeOf(outcome) || (isSilent(outcome.text) ? '' : notices.join('\n\n'));
      // A repeated request hears the outcome alone; one that was stopped may have no more than what was heard.
      say(whole === '' && outcome.kind === 'aborted' ? text.whole() : whole);
      return said;
    },
  };
}

/** What a delta lets people see: so much more, or all of it read anew. */
interface Seen {
  readonly more?: string;
  readonly whole?: string;
}

/**
 * The text so far without what is, or may become, a directive. A delta costs what it is long, in a text without
 * directives: nothing looks at the text before it.
 */
function createVisibleText() {
  // `end`: of what was written; looking for it there would copy the whole.
  const state = { written: '', end: '', directs: false, readTo: 0, speaks: false };
  /** The end of a text without directives that nobody has seen. */
  let unseen = '';

  /** White space waits for the next word: what follows a directive may take it away. */
  function plain(): Seen {
    const end = unseen.slice(-BEGUN);
    const more = unseen.slice(0, unseen.length - end.length + visibleChatPrefix(end).length).trimEnd();
    unseen = unseen.slice(more.length);
    return { more };
  }

  function reread(): Seen {
    const { written } = state;
    if (written.length - state.readTo < Math.max(REREAD.chars, written.length * REREAD.part)) return {};
    state.readTo = written.length;
    return { whole: leadOf(written) + visiblePrefix(written) };
  }

  return {
    add(delta: string): Seen {
      state.directs ||= mayDirect(state.end + delta);
      state.end = (state.end + delta).slice(-BEGUN);
      state.written += delta;
      if (!state.directs) unseen += delta;
      // What follows decides whether it is the marker.
      state.speaks ||= !mayBeMarker(state.written);
      if (!state.speaks) return {};
      return state.directs ? reread() : plain();
    },
    whole: (): string => (isSilent(state.written) ? '' : textOf(state.written)),
  };
}

const mayBeMarker = (written: string): boolean =>
  maybeSilent(written) || written.slice(0, MARKER_WITHIN).trimStart().startsWith(SILENT_REPLY);

/** Blank lines before the first word went out before anybody knew that directives follow. */
const leadOf = (written: string): string => /^(?:[ \t]*\n)+/.exec(written)?.[0] ?? '';

const textOf = (written: string): string =>
  mayDirect(written) ? leadOf(written) + readDirectives(written).text : written;

/** Words and, in one line each, the files that people got: they are seen in the product's own chat. */
function wholeOf(outcome: Exclude<TurnOutcome, { kind: 'failed' }>): string {
  if (outcome.kind === 'aborted') return isSilent(outcome.text) ? '' : textOf(outcome.text);
  const { shown, told: sentBefore = [], text } = outcome;
  const words = shown ? leadOf(text) + shown.text : isSilent(text) ? '' : textOf(text);
  const repeated = words.trim() === '' ? sentBefore.map((one: Shown) => one.text) : [];
  const files = [...sentBefore, ...(shown ? [shown] : [])].flatMap((one) => one.files.map(fileLine));
  const lines = [...repeated, ...(words.trim() === '' ? [] : [words]), ...files].filter((line) => line !== '');
  return lines.join('\n');
}

const fileLine = ({ name }: KeptFile): string => `(${name} is attached in the Control UI.)`;
