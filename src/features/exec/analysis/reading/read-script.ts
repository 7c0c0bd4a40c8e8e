/** Converts the parse tree to a flat list of plain commands, or collects the reasons why that is not possible. */
import type { Command, ParsedScript, PipelineNode, Redirection, Statement } from 'unbash';
import { quoted } from './command-text.ts';
import { readWord } from './read-word.ts';

/** Every word literal. */
export interface PlainCommand {
  readonly words: readonly string[];
  /** As they are written into the plan. */
  readonly redirects: readonly string[];
}

export interface Pipeline {
  /** What stands before it: nothing before the first. */
  readonly join: '' | '&&' | '||' | ';';
  readonly negated: boolean;
  readonly commands: readonly PlainCommand[];
}

export type ScriptReading = { readonly pipelines: readonly Pipeline[] } | { readonly why: readonly string[] };

const MAX_COMMANDS = 100;
const COMPOUND: Readonly<Record<string, string>> = {
  If: 'a condition',
  For: 'a loop',
  ArithmeticFor: 'a loop',
  While: 'a loop',
  Select: 'a menu',
  Case: 'a case distinction',
  Function: 'a function definition',
  Subshell: 'a group of commands in parentheses',
  BraceGroup: 'a group of commands in braces',
  TestCommand: 'a [[ ]] test',
  ArithmeticCommand: 'an arithmetic command',
  Coproc: 'a command that runs in parallel',
  Redirected: 'a group of commands with redirections',
};

interface Sink {
  readonly why: Set<string>;
  readonly source: string;
}

export function readScript(script: ParsedScript, source: string): ScriptReading {
  const sink: Sink = {
    why: new Set((script.errors ?? []).map(({ message }) => `The shell could not read this: ${message}.`)),
    source,
  };
  if (script.shebang !== undefined) sink.why.add('It starts like a script file.');
  const pipelines = script.commands.flatMap((statement, index) =>
    readStatement(statement, index === 0 ? '' : ';', sink),
  );
  if (pipelines.length === 0) sink.why.add('It contains no command.');
  if (pipelines.flatMap(({ commands }) => commands).length > MAX_COMMANDS)
    sink.why.add(`It contains more than ${MAX_COMMANDS} commands.`);
  if (sink.why.size === 0 && !coversAll(script, source)) sink.why.add('A part of it could not be parsed.');
  return sink.why.size > 0 ? { why: [...sink.why] } : { pipelines };
}

function readStatement({ command, background }: Statement, join: Pipeline['join'], sink: Sink): readonly Pipeline[] {
  if (background) sink.why.add('A single "&" runs a command in the background.');
  if (command.type !== 'AndOr') return [readPipeline(command, join, sink)];
  return command.commands.map((node, index) =>
    readPipeline(node, index === 0 ? join : (command.operators[index - 1] ?? '&&'), sink),
  );
}

function readPipeline(node: PipelineNode, join: Pipeline['join'], sink: Sink): Pipeline {
  if (node.type !== 'Pipeline') return { join, negated: false, commands: readCommand(node, sink) };
  const timed = node.prefixes.find(({ type }) => type === 'Time');
  const [first, ...others] = node.commands;
  if (timed && (others.length > 0 || node.prefixes.length > 1)) sink.why.add('"time" measures more than one program.');
  if (node.operators.includes('|&')) sink.why.add('"|&" also pipes standard error; write "2>&1 |".');
  const commands = node.commands.flatMap((command) => readCommand(command, sink));
  if (node.prefixes.filter(({ type }) => type === 'Negation').length > 1) sink.why.add('A command is negated twice.');
  if (timed === undefined || first?.type !== 'Command') return { join, negated: node.prefixes.length > 0, commands };
  const word = timed.type === 'Time' && timed.posix !== undefined ? ['time', '-p'] : ['time'];
  return {
    join,
    negated: false,
    commands: commands.map((command) => ({ ...command, words: [...word, ...command.words] })),
  };
}

function readCommand(node: PipelineNode, sink: Sink): readonly PlainCommand[] {
  if (node.type !== 'Command') {
    sink.why.add(`It holds ${COMPOUND[node.type] ?? 'a construct'}, whose effect is known only when it runs.`);
    return [];
  }
  if (node.name === undefined) sink.why.add(`${quoted(sink.source.slice(node.pos, node.end))} starts no program.`);
  return [
    { words: readWords(node, sink), redirects: node.redirects.flatMap((redirect) => readRedirect(redirect, sink)) },
  ];
}

function readWords(command: Command, sink: Sink): readonly string[] {
  for (const part of command.prefix)
    if (part.type === 'Assignment')
      sink.why.add(`${quoted(part.text)} sets a variable, which can change what programs do.`);
  const words = [...(command.name ? [command.name] : []), ...command.args].map((word) => {
    if (word.type === 'Assignment') return { why: `${quoted(word.text)} sets a variable of the shell.` };
    return readWord(word, sink.source);
  });
  for (const word of words) if ('why' in word) sink.why.add(word.why);
  return words.flatMap((word) => ('text' in word ? [word.text] : []));
}

/** Into nothing, from nothing, or one stream into the other; everything else reads or writes a file. */
function readRedirect(redirect: Redirection, sink: Sink): readonly string[] {
  const target = redirect.type === 'Redirect' && redirect.target ? readWord(redirect.target, sink.source) : undefined;
  const descriptor =
    redirect.descriptor === undefined
      ? ''
      : redirect.descriptor.type === 'FileDescriptor'
        ? String(redirect.descriptor.value)
        : '?';
  const said = `${descriptor}${redirect.operator}${target && 'text' in target ? target.text : '?'}`;
  const known = PLAIN_REDIRECTS[said];
  if (known !== undefined) return [known];
  sink.why.add(
    redirect.type === 'Redirect'
      ? `${quoted(sink.source.slice(redirect.pos, redirect.end))} reads or writes a file.`
      : `It passes text to a program with "${redirect.operator}".`,
  );
  return [];
}

const PLAIN_REDIRECTS: Readonly<Record<string, string>> = {
  '2>&1': '2>&1',
  '1>&2': '1>&2',
  '>&2': '1>&2',
  '</dev/null': '</dev/null',
  '0</dev/null': '</dev/null',
  '>/dev/null': '>/dev/null',
  '1>/dev/null': '>/dev/null',
  '>>/dev/null': '>/dev/null',
  '1>>/dev/null': '>/dev/null',
  '2>/dev/null': '2>/dev/null',
  '2>>/dev/null': '2>/dev/null',
  '&>/dev/null': '>/dev/null 2>&1',
  '&>>/dev/null': '>/dev/null 2>&1',
  '>&/dev/null': '>/dev/null 2>&1',
};

/** Between the words and redirections the tree names there is nothing but blanks, operators and comments. */
function coversAll(script: ParsedScript, source: string): boolean {
  const spans = script.commands
    .flatMap(({ command }) => (command.type === 'AndOr' ? command.commands : [command]))
    .flatMap((node) => (node.type === 'Pipeline' ? [...node.prefixes, ...node.commands] : [node]))
    .flatMap((node): readonly { readonly pos: number; readonly end: number }[] =>
      node.type === 'Command' ? [...(node.name ? [node.name] : []), ...node.prefix, ...node.suffix] : [node],
    )
    .sort((one, other) => one.pos - other.pos);
  const ends = [0, ...spans.map(({ end }) => end)];
  const starts = [...spans.map(({ pos }) => pos), source.length];
  return ends.every((end, index) =>
    /^(?:[\s;&|]|\\\n|(?<=^|[\s;&|])#[^\n]*(?:\n|$))*$/.test(source.slice(end, starts[index])),
  );
}
