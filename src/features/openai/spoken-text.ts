/**
 * Collects what a turn says into one text, delta by delta, without the marker for "say nothing". A turn's deltas,
 * joined, are its outcome's text.
 */
import { isSilent, maybeSilent } from '../../core/reply.ts';
import type { AgentEvent } from '../../core/turn.ts';

export interface SpokenText {
  observe(event: AgentEvent): void;
  /** `final` is the outcome's text; what of it was not heard yet is emitted now. Returns everything emitted. */
  finish(final: string): string;
}

export function createSpokenText(emit: (delta: string) => void = () => {}): SpokenText {
  let said = '';
  let held = '';
  const notices: string[] = [];

  const say = (delta: string): void => {
    if (!delta) return;
    said += delta;
    emit(delta);
  };

  return {
    observe(event) {
      if (event.type === 'notice') notices.push(event.text);
      if (event.type !== 'text') return;
      held += event.delta;
      // So far it may still turn out to be the silent marker.
      if (said === '' && maybeSilent(held)) return;
      say(held);
      held = '';
    },
    finish(final) {
      const whole = isSilent(final) ? '' : final || notices.join('\n\n');
      if (said === '') say(whole || (isSilent(held) ? '' : held));
      else if (whole.startsWith(said)) say(whole.slice(said.length));
      return said;
    },
  };
}
