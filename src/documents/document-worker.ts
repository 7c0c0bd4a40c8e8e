/** The module of the document thread: everything that looks inside files from outside runs here. */
import { answerQuestions } from '../platform/worker.ts';
import type { ReadQuestion } from './document.ts';
import { readDocument } from './read-document.ts';

answerQuestions((question: ReadQuestion) => readDocument(question));
