/** How something stands: a tone, and words that say it without the colour. */

export type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'running';
export interface Mark {
  readonly tone: Tone;
  readonly words: string;
}
