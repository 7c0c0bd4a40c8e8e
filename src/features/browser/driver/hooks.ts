/** Answers dialogs and file choosers of a page: with a prepared answer if there is one, so that no page blocks. */
import type { Dialog, FileChooser, Page } from 'playwright-core';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { onFailure } from '../../../platform/settled.ts';
import { shortText } from './ring-buffer.ts';

/** A file that is handed to a page. */
export interface FileToGive {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export interface DialogAnswer {
  readonly accept: boolean;
  readonly promptText?: string | undefined;
}

export interface PageHooks {
  /** For the next dialog; the newest arm wins. */
  armDialog(answer: DialogAnswer, timeoutMs: number): void;
  /** For the next file chooser; the newest arm wins. No files: the chooser is left without any. */
  armFiles(files: readonly FileToGive[], timeoutMs: number): void;
  /** What is open and waits for an answer. */
  readonly dialog: { readonly type: string; readonly message: string } | undefined;
  /** Resolves when what was armed for files was used; rejects when that failed. */
  filesSet(): Promise<void>;
  close(): void;
}

export interface HooksDeps {
  readonly clock: Clock;
  /** What happened, for whoever acts on the page next. */
  notice(text: string): void;
  /** A person acts on the page, and answers dialogs by hand. */
  isTaken(): boolean;
}

/** Milliseconds a dialog nobody armed stays, so that one armed at the same moment still answers it. */
const UNARMED_MS = 1000;
/** Milliseconds a person has to answer one. */
const PERSON_MS = 60_000;

interface Armed<T> {
  readonly answer: T;
  readonly timer: Timer;
}

/** Listens from now on. */
export function hookPage(page: Page, { clock, notice, isTaken }: HooksDeps): PageHooks {
  const armed: { dialog?: Armed<DialogAnswer> | undefined; files?: Armed<readonly FileToGive[]> | undefined } = {};
  const waiting = new Set<{ readonly dialog: Dialog; readonly timer: Timer }>();
  let filesSet = Promise.resolve();

  const take = <K extends 'dialog' | 'files'>(kind: K): (typeof armed)[K] => {
    const found = armed[kind];
    found?.timer.cancel();
    armed[kind] = undefined;
    return found;
  };
  const arm = <K extends 'dialog' | 'files'>(
    kind: K,
    answer: NonNullable<(typeof armed)[K]>['answer'],
    ms: number,
  ): void => {
    take(kind);
    const timer = clock.setTimeout(() => void (armed[kind] = undefined), ms).unref();
    armed[kind] = { answer, timer } as (typeof armed)[K];
  };
  const answer = (dialog: Dialog, { accept, promptText }: DialogAnswer, how: string): void => {
    const said = `${dialog.type()} dialog: ${JSON.stringify(shortText(dialog.message()))}`;
    const done = accept ? dialog.accept(promptText) : dialog.dismiss();
    notice(`The page opened a ${said}. It was ${accept ? 'accepted' : 'dismissed'}${how}.`);
    onFailure(done, () => notice(`The ${dialog.type()} dialog was gone before it was answered.`));
  };

  page.on('dialog', (dialog) => {
    const known = take('dialog');
    if (known) return answer(dialog, known.answer, ' as armed');
    const one = {
      dialog,
      timer: clock
        .setTimeout(
          () => {
            waiting.delete(one);
            answer(
              dialog,
              { accept: false },
              ', because nobody had armed an answer. Arm one with `dialog` before the action that opens it',
            );
          },
          isTaken() ? PERSON_MS : UNARMED_MS,
        )
        .unref(),
    };
    waiting.add(one);
  });
  page.on('filechooser', (chooser: FileChooser) => {
    const known = take('files');
    if (!known) return notice('The page asked for a file. Nobody had armed one with `upload`, so it got none.');
    filesSet = chooser.setFiles([...known.answer]);
    onFailure(filesSet, () => notice('The page did not take the files.'));
  });

  return {
    armDialog(reply, timeoutMs) {
      const [open] = waiting;
      if (!open) return arm('dialog', reply, timeoutMs);
      open.timer.cancel();
      waiting.delete(open);
      answer(open.dialog, reply, ' as asked');
    },
    armFiles: (files, timeoutMs) => arm('files', files, timeoutMs),
    get dialog() {
      const [open] = waiting;
      return open && { type: open.dialog.type(), message: shortText(open.dialog.message()) };
    },
    filesSet: () => filesSet,
    close() {
      take('dialog');
      take('files');
      for (const { timer } of waiting) timer.cancel();
      waiting.clear();
    },
  };
}
