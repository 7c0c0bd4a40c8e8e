/** Answers dialogs and file choosers of a page: with a prepared answer if there is one, so that no page blocks. */
import type { Dialog, FileChooser, Page } from 'playwright-core';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { onFailure } from '../../../platform/settled.ts';
import { shortText } from './ring-buffer.ts';

/** A file to upload. */
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
  /** Sets the answer to the next dialog; a newer call replaces it. */
  armDialog(answer: DialogAnswer, timeoutMs: number): void;
  /** Sets the files of the next file chooser; a newer call replaces them. Without files, the chooser is cancelled. */
  armFiles(files: readonly FileToGive[], timeoutMs: number): void;
  /** The open dialog that waits for an answer. */
  readonly dialog: { readonly type: string; readonly message: string } | undefined;
  /** Resolves when the prepared files were used; rejects if that failed. */
  filesSet(): Promise<void>;
  close(): void;
}

export interface HooksDeps {
  readonly clock: Clock;
  /** Records a message for the next caller. */
  notice(text: string): void;
  /** A person is in control and answers dialogs manually. */
  isTaken(): boolean;
}

/**
 * Delay in milliseconds before a dialog without a prepared answer is dismissed, so that an answer prepared at the same
 * time is still used.
 */
const UNARMED_MS = 1000;
/** Milliseconds that a person has to answer a dialog. */
const PERSON_MS = 60_000;

interface Armed<T> {
  readonly answer: T;
  readonly timer: Timer;
}

/** Starts listening. */
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
