/**
 * `<claw-browser-screen>`: the picture of a tab with the last action marked; takes the input of a person in control.
 */
import { html, nothing } from 'lit';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { ago } from '../../../../ui/src/elements/times.ts';
import type { BrowserAnswers } from '../answers.ts';
import { keyInputs, pointOf, isSentKey } from './input-events.ts';

interface Frame {
  readonly data: string;
  readonly width: number;
  readonly height: number;
}
type Acted = NonNullable<BrowserAnswers['browser.watch']['acted']>;

const BUTTONS = ['left', 'middle', 'right'] as const;
/** The movement in pixels up to which a touch counts as a tap. */
const TAP = 8;

export class BrowserScreen extends LightElement {
  static override properties = {
    frame: { attribute: false },
    acted: { attribute: false },
    active: { attribute: false },
    label: { attribute: false },
  };
  declare frame: Frame | undefined;
  declare acted: Acted | undefined;
  /** This person is in control. */
  declare active: boolean;
  declare label: string;
  /** Input since the last animation frame. */
  #pending: object[] = [];
  #down = new Set<string>();
  #finger: { x: number; y: number; moved: boolean } | undefined;

  override render(): unknown {
    const { frame, acted, active, label } = this;
    if (!frame) return html`<div class="browser-screen empty"><p class="quiet">Waiting for a picture…</p></div>`;
    return html`<div class=${active ? 'browser-screen active' : 'browser-screen'} tabindex=${active ? '0' : nothing}
        role=${active ? 'application' : nothing} aria-label=${active ? 'The page. Shift+Escape leaves it.' : nothing}
        @pointerdown=${this.#pressed} @pointermove=${this.#moved} @pointerup=${this.#lifted} @wheel=${this.#wheeled}
        @keydown=${this.#keyDown} @keyup=${this.#keyUp} @paste=${this.#pasted} @blur=${this.#letGo}
        @contextmenu=${(event: Event) => active && event.preventDefault()}>
      <img src="data:image/jpeg;base64,${frame.data}" alt="Picture of ${label}" draggable="false" />
      ${acted?.box ? this.#mark(acted.box, frame) : nothing}
    </div>
    ${
      acted
        ? html`<p class="browser-acted small">Last action: <b>${acted.kind}</b> ${acted.label ?? ''}
            <span class="quiet">${ago(acted.at, Date.now())}</span></p>`
        : nothing
    }`;
  }

  #mark({ x, y, width, height }: NonNullable<Acted['box']>, frame: Frame): unknown {
    const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`;
    const style = [
      `left:${percent(x, frame.width)}`,
      `top:${percent(y, frame.height)}`,
      `width:${percent(width, frame.width)}`,
      `height:${percent(height, frame.height)}`,
    ].join(';');
    return html`<i class="browser-mark" style=${style} aria-hidden="true"></i>`;
  }

  /** One message per animation frame; of several moves only the last is sent. */
  #send(...inputs: readonly object[]): void {
    if (!this.active) return;
    const last = this.#pending.at(-1) as { readonly type?: string } | undefined;
    const [first] = inputs as readonly { readonly type?: string }[];
    if (last?.type === 'move' && first?.type === 'move') this.#pending.pop();
    const idle = this.#pending.length === 0;
    this.#pending.push(...inputs);
    if (!idle && this.#pending.length > inputs.length) return;
    requestAnimationFrame(() => {
      const detail = this.#pending.splice(0);
      if (detail.length > 0) this.dispatchEvent(new CustomEvent('input-from-person', { detail }));
    });
  }

  #at(event: MouseEvent): { x: number; y: number } {
    return pointOf(event, this.querySelector('img')!.getBoundingClientRect(), this.frame!);
  }

  #pressed = (event: PointerEvent): void => {
    if (!this.active) return;
    const at = this.#at(event);
    (event.currentTarget as HTMLElement).focus();
    event.preventDefault();
    if (event.pointerType === 'touch') this.#finger = { ...at, moved: false };
    else this.#send({ type: 'down', ...at, button: BUTTONS[event.button] ?? 'left', clicks: clicksOf(event) });
  };

  #moved = (event: PointerEvent): void => {
    if (!this.active) return;
    const at = this.#at(event);
    const finger = this.#finger;
    if (!finger) return this.#send({ type: 'move', ...at });
    const [dx, dy] = [finger.x - at.x, finger.y - at.y];
    if (!finger.moved && Math.abs(dx) + Math.abs(dy) < TAP) return;
    this.#finger = { ...at, moved: true };
    this.#send({ type: 'wheel', ...at, dx, dy });
  };

  #lifted = (event: PointerEvent): void => {
    if (!this.active) return;
    const at = this.#at(event);
    const finger = this.#finger;
    this.#finger = undefined;
    const button = BUTTONS[event.button] ?? 'left';
    if (!finger) return this.#send({ type: 'up', ...at, button, clicks: clicksOf(event) });
    if (!finger.moved) this.#send({ type: 'down', ...at }, { type: 'up', ...at });
  };

  #wheeled = (event: WheelEvent): void => {
    if (!this.active) return;
    event.preventDefault();
    this.#send({ type: 'wheel', ...this.#at(event), dx: event.deltaX, dy: event.deltaY });
  };

  #keyDown = (event: KeyboardEvent): void => {
    if (!this.active) return;
    if (event.key === 'Escape' && event.shiftKey) {
      event.preventDefault();
      this.closest('section')?.querySelector<HTMLElement>('.button.primary')?.focus();
      return;
    }
    // Pasted text arrives as a separate event.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') return;
    const inputs = keyInputs(event.key);
    if (inputs.length === 0) return;
    event.preventDefault();
    if (isSentKey(event.key)) this.#down.add(event.key);
    this.#send(...inputs);
  };

  #keyUp = (event: KeyboardEvent): void => {
    if (this.#down.delete(event.key)) this.#send({ type: 'keyup', key: event.key });
  };

  #pasted = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '') this.#send({ type: 'text', text: text.slice(0, 10_000) });
  };

  /** Releases all keys when the picture loses the focus. */
  #letGo = (): void => {
    for (const key of this.#down) this.#send({ type: 'keyup', key });
    this.#down.clear();
  };
}

const clicksOf = (event: MouseEvent): number => Math.min(3, Math.max(1, event.detail));

customElements.define('claw-browser-screen', BrowserScreen);
