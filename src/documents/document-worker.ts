/** The module of the document worker thread: all parsing of untrusted files runs here. */
import { answerQuestions } from '../platform/worker.ts';
import type { ReadQuestion } from './document.ts';
import { readDocument } from './read-document.ts';

answerQuestions((question: ReadQuestion) => readDocument(question));
