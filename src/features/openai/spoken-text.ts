/**
 * Collects what a turn says into one text, delta by delta, without directives and without the marker for "say nothing".
 * A turn's deltas, joined, are the text of its answer.
 */
import { mayDirect, readDirectives } from '../../core/directives/read-directives.ts';
import { seenSoFar, shownSoFar } from '../../core/directives/shown-so-far.ts';
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
/** A text that holds directives is read anew after so many characters, or so great a part of it. */
const REREAD = { chars: 16, part: 0.02 };

export function createSpokenText(emit: (delta: string) => void = () => {}): SpokenText {
  const text = createVisibleText();
  let said = '';
  const notices: string[] = [];

  const say = (whole: string): void => {
    if (whole.length <= said.length || !whole.startsWith(said)) return;
    const delta = whole.slice(said.length);
    said = whole;
    emit(delta);
  };

  return {
    observe(event) {
      if (event.type === 'notice') notices.push(event.text);
      if (event.type === 'text') say(text.add(event.delta));
    },
    finish(outcome) {
      const whole = wholeOf(outcome) || (isSilent(outcome.text) ? '' : notices.join('\n\n'));
      // A repeated request hears the outcome alone; one that was stopped may have no more than what was heard.
      say(whole === '' && outcome.kind === 'aborted' ? text.whole() : whole);
      return said;
    },
  };
}

/** The text so far without what is, or may become, a directive. */
function createVisibleText() {
  let written = '';
  let directs = false;
  let readTo = 0;
  let visible = '';

  /** White space waits for the next word: what follows a directive may take it away. */
  function plain(): string {
    const end = written.slice(-BEGUN);
    return written.slice(0, written.length - end.length + seenSoFar(end).length).trimEnd();
  }

  return {
    add(delta: string): string {
      directs ||= mayDirect(written.slice(-BEGUN) + delta);
      written += delta;
      // What follows decides whether it is the marker.
      if (maybeSilent(written) || written.trimStart().startsWith(SILENT_REPLY)) return '';
      if (!directs) return plain();
      if (written.length - readTo >= Math.max(REREAD.chars, written.length * REREAD.part)) {
        readTo = written.length;
        visible = leadOf(written) + shownSoFar(written);
      }
      return visible;
    },
    whole: (): string => (isSilent(written) ? '' : textOf(written)),
  };
}

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
