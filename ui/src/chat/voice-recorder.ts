/**
 * `<claw-recorder>`: records a voice note while it is in the page; emits `voice-note` with the file, or `voice-ended`
 * with the reason why there is none.
 */
import { html } from 'lit';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { voiceNoteName } from './file-kind.ts';
import { listenTo, openMicrophone, type Listening } from './microphone.ts';

/** An hour at the rate below stays within what a message takes. */
const LONGEST_MS = 60 * 60_000;
const BITS_PER_SECOND = 32_000;
const TICK_MS = 100;
/** A longer press means that releasing the button ends the recording. */
const HELD_MS = 600;
const BARS = 110;

export class VoiceRecorder extends LightElement {
  static override properties = { levels: { state: true }, ms: { state: true } };
  declare levels: readonly number[];
  declare ms: number;
  #recorder: MediaRecorder | undefined;
  #listening: Listening | undefined;
  #stream: MediaStream | undefined;
  #tick: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.levels = [];
    this.ms = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('pointerup', this.#letGo);
    void this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('pointerup', this.#letGo);
    this.#release();
  }

  override firstUpdated(): void {
    this.querySelector<HTMLElement>('.send')?.focus();
  }

  override render(): unknown {
    const bars = Array.from({ length: BARS }, (_, index) => this.levels.at(index - BARS) ?? 0);
    return html`<div class="recorder" role="group" aria-label="Voice note" @keydown=${(event: KeyboardEvent) =>
      this.#key(event)}>
      <button type="button" class="ghost pick" aria-label="Discard the voice note" title="Discard (Esc)" @click=${() =>
        this.#emit('voice-ended', '')}>${icon('close')}</button>
      <span class="recorder-dot ${this.#recorder ? '' : 'waiting'}"></span>
      <span class="recorder-time" role="timer">${this.#recorder ? clockOf(this.ms) : 'Allow the microphone…'}</span>
      <span class="recorder-bars" aria-hidden="true">${bars.map(
        (level) => html`<i
        style="height:${Math.round(8 + level * 92)}%"></i>`,
      )}</span>
      <button type="button" class="send" aria-label="Send the voice note" title="Send (Enter)"
        ?disabled=${!this.#recorder} @click=${() => this.#finish()}>${icon('send')}</button>
    </div>`;
  }

  async #start(): Promise<void> {
    const opened = await openMicrophone();
    if (typeof opened === 'string') return this.#emit('voice-ended', opened);
    this.#stream = opened;
    if (!this.isConnected) return this.#release();
    this.#recorder = new MediaRecorder(opened, { audioBitsPerSecond: BITS_PER_SECOND });
    this.#listening = listenTo(opened);
    this.#recorder.start();
    const began = performance.now();
    this.#tick = setInterval(() => this.#follow(performance.now() - began), TICK_MS);
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('.send')?.focus());
  }

  #follow(ms: number): void {
    this.ms = ms;
    this.levels = [...this.levels.slice(1 - BARS), this.#listening?.level() ?? 0];
    if (ms > LONGEST_MS) this.#finish();
  }

  #finish(): void {
    const recorder = this.#recorder;
    if (!recorder || recorder.state === 'inactive') return;
    // A stopped recorder delivers all data at once.
    recorder.ondataavailable = ({ data }) => {
      const type = data.type.split(';')[0] || 'audio/webm';
      this.#emit('voice-note', new File([data], voiceNoteName(type), { type }));
    };
    recorder.stop();
  }

  /** The first release after the press; later ones are ordinary clicks. */
  #letGo = (): void => {
    removeEventListener('pointerup', this.#letGo);
    if (this.ms > HELD_MS) this.#finish();
  };

  #key(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    // Escape cancels the recording, not a running answer.
    event.preventDefault();
    event.stopPropagation();
    this.#emit('voice-ended', '');
  }

  #release(): void {
    clearInterval(this.#tick);
    this.#listening?.end();
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
  }

  #emit(what: 'voice-note' | 'voice-ended', detail: File | string): void {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }
}

const clockOf = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;

customElements.define('claw-recorder', VoiceRecorder);
