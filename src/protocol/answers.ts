/**
 * The types of everything the gateway sends, by method and event. Only tests and the reference pages load the schemas
 * as values, to keep the gateway's start and the browser bundle small.
 */
import type { z } from 'zod';
import { accessAnswers, pairingEvents } from './answers/access.ts';
import { approvalAnswers, approvalEvents } from './answers/approvals.ts';
import { catalogAnswers } from './answers/catalog.ts';
import { channelAnswers, channelEvents } from './answers/channels.ts';
import { chatAnswers } from './answers/chat.ts';
import { configAnswers } from './answers/config.ts';
import { messageEvents } from './answers/messages.ts';
import { presenceAnswers, presenceChange } from './answers/presence.ts';
import { processAnswers, processEvents } from './answers/processes.ts';
import { sessionAnswers, sessionEvents } from './answers/sessions.ts';
import { systemAnswers, systemEvents } from './answers/system.ts';
import { toolAnswers } from './answers/tools.ts';

/** Method → what it answers. */
export const ANSWERS = {
  ...accessAnswers,
  ...approvalAnswers,
  ...catalogAnswers,
  ...channelAnswers,
  ...chatAnswers,
  ...configAnswers,
  ...presenceAnswers,
  ...processAnswers,
  ...sessionAnswers,
  ...systemAnswers,
  ...toolAnswers,
} satisfies Readonly<Record<string, z.ZodType>>;

/** Event → what it carries. */
export const EVENT_PAYLOADS = {
  ...approvalEvents,
  ...channelEvents,
  ...messageEvents,
  ...pairingEvents,
  ...processEvents,
  ...sessionEvents,
  ...systemEvents,
  'presence.changed': presenceChange,
} satisfies Readonly<Record<string, z.ZodType>>;

/** What the methods of features answer: each adds its own in its `answers.ts`. */
export interface FeatureAnswers {}
/** What the events of features carry, likewise. */
export interface FeatureEvents {}

/** The type of each method's answer, by method. */
export type Answers = { readonly [M in keyof typeof ANSWERS]: z.output<(typeof ANSWERS)[M]> } & FeatureAnswers;
/** A method whose answer has a schema here. */
export type AnsweredMethod = keyof Answers;
/** What an event carries; unknown where nobody says. */
export type PayloadOf<E extends string> = E extends keyof EventPayloads ? EventPayloads[E] : unknown;

/** The type of each event's payload, by event. */
export type EventPayloads = {
  readonly [E in keyof typeof EVENT_PAYLOADS]: z.output<(typeof EVENT_PAYLOADS)[E]>;
} & FeatureEvents;
