/** The input of the agent loop for one turn: conversation, models, tools and their environment. */
import type { ModelInfo } from '../../core/provider.ts';
import type { Log } from '../../core/log.ts';
import type { Route } from '../../core/route.ts';
import type { Tool, ToolContext } from '../../core/tool.ts';
import type { ImageBlock, Message, UserMessage } from '../../core/transcript.ts';
import type { ClientTool, ThinkingLevel, TurnOptions } from '../../core/turn.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ModelCandidate } from '../models/candidate.ts';
import type { StepLog } from '../steps.ts';

/** A model the turn may use; the first candidate is the primary, the others are fallbacks. */
export type LoopModel = Pick<ModelCandidate, 'provider' | 'modelId' | 'api' | 'params' | 'open' | 'thinkingOptions'> & {
  readonly info: ModelInfo;
};

export interface LoopInput {
  readonly turnId: string;
  readonly route: Route;
  /** Never empty. */
  readonly candidates: readonly LoopModel[];
  readonly system: string;
  readonly history: readonly Message[];
  /** The user's message, or results of client tools. */
  readonly opening: readonly Message[];
  readonly tools: readonly Tool[];
  readonly clientTools?: readonly ClientTool[] | undefined;
  /** Forced choices hold for the first model call; after tool results the model is free again. */
  readonly toolChoice?: TurnOptions['toolChoice'];
  readonly thinking?: ThinkingLevel | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  /** Stops the turn; what was said by then is kept. */
  readonly signal: AbortSignal;
  /** The whole turn, milliseconds; 0 or absent: no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * Hands over the messages that arrived meanwhile; what it returns is part of the turn from then on. Asked between
   * steps.
   */
  steer(): readonly UserMessage[];
  /** Whether `steer` would return anything; takes nothing. */
  steerWaiting(): boolean;
  readonly steps: StepLog;
  /**
   * A vendor refused these pictures of the conversation: they are not to be sent again. `why` is the rest of a sentence
   * about each.
   */
  unseen?(pictures: readonly ImageBlock[], why: string): void;
  /** `signal` and `progress` are the loop's own. */
  toolContext(callId: string, tool: Tool): Omit<ToolContext, 'signal' | 'progress'>;
  readonly retry?: Partial<RetrySettings>;
  readonly limits?: Partial<LoopLimits>;
  readonly log: Log;
  readonly clock: Clock;
  /** 0 ≤ n < 1, for jitter. */
  random?(): number;
}

export interface RetrySettings {
  /** Requests per candidate and step, the first included. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
  /** A vendor that asks for a longer pause is given up for this turn. */
  readonly timeoutMs: number;
}

export interface LoopLimits {
  /** Model calls per turn. */
  readonly maxSteps: number;
  /** A stream that is silent for so long is broken, milliseconds. */
  readonly idleTimeoutMs: number;
  /** Characters one answer of the model may have, thinking and calls included; what comes behind is not read. */
  readonly answerChars: number;
  /** Calls of one step that run at the same time; 1 runs them in source order. */
  readonly toolConcurrency: number;
  /** Characters of one tool result's text that reach the model. */
  readonly toolResultChars: number;
  /** A stopped tool has so long to end by itself and say what it got, milliseconds. */
  readonly toolGraceMs: number;
  /** Identical (tool, input, result) calls in one turn after which the model gets a notice. */
  readonly loopWarnAt: number;
  /** … after which the turn ends. */
  readonly loopStopAt: number;
}

export const defaultRetry: RetrySettings = { attempts: 3, baseMs: 500, maxMs: 20_000, timeoutMs: 60_000 };

export const defaultLimits: LoopLimits = {
  maxSteps: 100,
  idleTimeoutMs: 120_000,
  answerChars: 2_000_000,
  toolConcurrency: 8,
  toolResultChars: 200_000,
  toolGraceMs: 2_000,
  loopWarnAt: 3,
  loopStopAt: 5,
};

export const modelName = (model: Pick<LoopModel, 'provider' | 'modelId'>): string =>
  `${model.provider}/${model.modelId}`;
