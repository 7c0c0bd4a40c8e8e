/** Parses Markdown to a tree of markdown-it's tokens, without the rules that do not suit chats. */
import MarkdownIt, { type Token } from 'markdown-it';

/** A part of a Markdown text with what is inside it. */
export interface Node {
  readonly token: Token;
  readonly children: readonly Node[];
}

/** Deeper text is shown as it was written: nobody reads it, and a parser would drop its innermost lines. */
const MAX_NESTING = 40;
/** Characters; a chat's message is far shorter, and what is longer must not hold the event loop. */
const MAX_LENGTH = 20_000;

const SAFE_LINK = /^(?:https?|mailto|tel):/i;

/** Underlined headings are off: models write `---` below a paragraph and mean a rule. */
function newParser() {
  const parser = new MarkdownIt({ html: false, linkify: true, typographer: false, maxNesting: MAX_NESTING }).disable(
    'lheading',
  );
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  parser.validateLink = (url: string) => SAFE_LINK.test(url.trim());
  parser.normalizeLinkText = (text: string) => text;
  return parser;
}

const parser = newParser();

/** Undefined: it is too long or too deep to be read as Markdown. Never throws. */
export function markdownTree(markdown: string): readonly Node[] | undefined {
  if (markdown.length > MAX_LENGTH) return undefined;
  const tokens = parser.parse(markdown, {});
  // Emphasis in emphasis is not limited by the parser.
  const tooDeep = ({ level, children }: Token): boolean =>
    level >= MAX_NESTING - 1 || (children?.some(tooDeep) ?? false);
  return tokens.some(tooDeep) ? undefined : nested(tokens);
}

/** `x_open … x_close` → one node with what is between them. */
function nested(tokens: readonly Token[]): readonly Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const token of tokens) {
    if (token.nesting === -1) {
      if (open.length > 1) open.pop();
      continue;
    }
    const children: Node[] = token.children ? [...nested(token.children)] : [];
    open.at(-1)!.push({ token, children });
    if (token.nesting === 1) open.push(children);
  }
  return root;
}
