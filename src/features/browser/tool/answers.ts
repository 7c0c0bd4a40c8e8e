/** Converts answers of routes into text for the model. */
import { inertValue, wrapped } from './untrusted-content.ts';

/** The content of a tool result. */
export interface ToolAnswer {
  readonly text: string;
  readonly details: unknown;
  /** A picture to show; its path is in the workspace. */
  readonly picture?: { readonly data: string; readonly mimeType: string; readonly path: string };
}

type Answer = Readonly<Record<string, unknown>>;

/** Contains no text of a page. */
export const plainAnswer = (answer: Answer): ToolAnswer => ({
  text: JSON.stringify(answer, null, 2),
  details: answer,
});

/** Titles, addresses, messages and results are text of pages. */
export const outsideAnswer = (answer: Answer): ToolAnswer => {
  const details = inertValue(answer) as Answer;
  return { text: wrapped(JSON.stringify(details, null, 2)), details };
};

/** The text is the snapshot; other facts are in the details. */
export function snapshotAnswer(answer: Answer): ToolAnswer {
  const { snapshot, notices, url } = answer as {
    readonly snapshot?: string;
    readonly notices?: readonly string[];
    readonly url?: string;
  };
  if (snapshot === undefined) return outsideAnswer(answer);
  const before = [...(notices ?? []).map((notice) => `Notice: ${notice}`), `URL: ${url ?? ''}`].join('\n');
  return { text: wrapped(`${before}\n\n${snapshot}`), details: inertValue(answer) };
}
