/** The module of the document thread: everything that looks inside files from outside runs here. */
import { answerQuestions } from '../platform/worker.ts';
import { readDocument, type ReadQuestion } from './read-document.ts';

answerQuestions((question: ReadQuestion) => readDocument(question));
