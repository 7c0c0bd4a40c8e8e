/** One kind of understanding: converts links or attachments to text before the agent sees the message. */
/** One kind of attachment or link, and what reads it. */
export interface Ability {
  readonly kind: 'link' | 'image' | 'audio' | 'video' | 'file';
  /** False when configuration says so; links are off until a command is configured. */
  readonly on: boolean;
  /** Commands and vendors in the order they are tried; none: nobody can. */
  readonly by: readonly string[];
  /** The chat model receives the file directly. */
  readonly shown?: boolean;
}
