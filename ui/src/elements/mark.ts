/** A status mark: a colour, and text for those who do not see it. */

export type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'running';
export interface Mark {
  readonly tone: Tone;
  readonly words: string;
}
