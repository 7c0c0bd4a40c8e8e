/** The definition of a command, and its input when it runs. */
import type { Env } from '../platform/env.ts';
import type { GatewayLink } from './gateway-link.ts';

/** One row of the command table: enough for parsing and help without loading the command. */
export interface Command {
  /** The words that name it: `sessions list`. */
  readonly name: string;
  /** Shorter spellings: `sessions`. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Where the list of all commands shows it; absent: by its first word. */
  readonly heading?: string;
  readonly args?: readonly Argument[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Capabilities its connection asks for. */
  readonly caps?: readonly string[];
  /** Whole lines without the program's name, for `--help`. */
  readonly examples?: readonly string[];
  /** Options only this installation knows, e.g. what each of its channels needs. */
  more?(env: Env): Promise<Readonly<Record<string, Option>>>;
  /** Handed every command there is, for the one that speaks of them all. */
  load(table: readonly Command[]): Promise<Run>;
}

export interface Argument {
  readonly name: string;
  readonly optional?: boolean;
  readonly help?: string;
  /** Takes all words that are left, as one text. */
  readonly rest?: boolean;
  /** The option that says the same; one of the two is needed, unless it is optional. */
  readonly or?: string;
}

export interface Option {
  /** `list`: it may be given several times. */
  readonly kind: 'flag' | 'text' | 'number' | 'list';
  /** What stands for the value in help: `<n>`. */
  readonly value?: string;
  readonly help: string;
  readonly required?: boolean;
  /** One letter: `-m`. */
  readonly short?: string;
}

/** Resolves with an exit code, 0 when undefined. Throws `AppError` for what went wrong. */
export type Run = (call: Call) => Promise<number | void>;

export interface Call {
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly io: CliIo;
  /** Connects with `--url` and `--token` or what configuration and environment say; closed when the command ends. */
  gateway(): Promise<GatewayLink>;
}

/** Values of the options that were given; the parser has checked their kind. */
export interface Flags {
  has(name: string): boolean;
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  /** Every value of a `list`, in order; none when it was not given. */
  list(name: string): readonly string[];
}

/** Everything outside that a command may touch; tests hand in their own. */
export interface CliIo {
  /** Writes one line for people or machines. */
  out(line: string): void;
  /** Writes one line of an error or warning. */
  err(line: string): void;
  readonly stdin: NodeJS.ReadableStream;
  /** For what is not a line: a streaming answer, a prompt. */
  readonly stdout: NodeJS.WritableStream;
  /** For output that reports no problem: progress. */
  readonly stderr: NodeJS.WritableStream;
  /** Read when first asked for. Throws `AppError('invalid')` for a variable that makes no sense. */
  env(): Env;
  /** One variable, without judging the others. */
  variable(name: string): string | undefined;
  /** Calls back on each Ctrl-C instead of ending the process; returns how to stop that. */
  onInterrupt(listener: () => void): () => void;
  runGateway(options: GatewayRunOptions): Promise<number>;
  /** Until it is interrupted, or can never get in. */
  runNode(options: NodeRunOptions): Promise<number>;
  connect(options: ConnectOptions): Promise<GatewayLink>;
}

/** What `node run` says on top of `node.json`. */
export interface NodeRunOptions {
  readonly env: Env;
  /** Of this program. */
  readonly version: string;
  readonly url: string;
  readonly token?: string | undefined;
  readonly password?: string | undefined;
  readonly signal: AbortSignal;
  out(line: string): void;
}

/** What `gateway run` says on top of the configuration. */
export interface GatewayRunOptions {
  readonly port?: number;
  readonly bind?: string;
  readonly token?: string;
  readonly verbose: boolean;
}

export interface ConnectOptions {
  readonly url?: string;
  readonly token?: string;
  readonly env: Env;
  /** Milliseconds until the connection must stand. */
  readonly timeoutMs: number;
  /** What else the gateway is to tell this client of. */
  readonly caps?: readonly string[];
}
