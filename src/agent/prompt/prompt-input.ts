/** The input of the system prompt. */
import type { ContextFile } from '../workspace/context-files.ts';
import type { Skill } from '../workspace/skills.ts';

export interface PromptInput {
  /** `minimal` is for agents another agent started; `none` is the identity line alone. */
  readonly mode: 'full' | 'minimal' | 'none';
  readonly agent: { readonly id: string; readonly name?: string | undefined };
  /** What the agent may use; the same tools as in the provider's schema. */
  readonly tools: readonly { readonly name: string; readonly summary: string }[];
  readonly skills: readonly Skill[];
  /** Short names of models and what they stand for. */
  readonly modelAliases?: Readonly<Record<string, string>> | undefined;
  /** Absolute path. */
  readonly workspaceDir: string;
  /** Tools and commands live in a box; absent: on this machine. */
  readonly sandbox?: SandboxFacts | undefined;
  readonly contextFiles: readonly ContextFile[];
  /** Where the product's own documentation is kept. */
  readonly docsPath?: string | undefined;
  /** How the owner is known on the channels: numbers, ids, names. */
  readonly owners?: readonly string[] | undefined;
  /** IANA zone. No clock time: it would change the prompt with every message. */
  readonly timezone: string;
  /** The channel understands `[[reply_to_current]]`. */
  readonly replyTags?: boolean | undefined;
  /** What features add, each with its own heading. */
  readonly sections?: readonly string[] | undefined;
  /** What the caller or the place (a group, a parent agent) adds. */
  readonly extra?: string | undefined;
  readonly runtime: RuntimeFacts;
}

export interface SandboxFacts {
  readonly workspaceAccess: 'none' | 'ro' | 'rw';
  readonly network: boolean;
  /** Some of what is asked for may run outside. */
  readonly elevated: boolean;
}

export interface RuntimeFacts {
  readonly host: string;
  readonly os: string;
  readonly node: string;
  /** `provider/model`. */
  readonly model: string;
  readonly channel: string;
  readonly capabilities?: readonly string[] | undefined;
  readonly thinking?: string | undefined;
}
