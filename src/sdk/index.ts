/** Everything a plugin may import. Adding a name here is a public-API decision. */
export type * from '../core/channel.ts';
export type * from '../core/channel-login.ts';
export type * from '../core/place-rules.ts';
export { present } from '../core/present.ts';
export { keysFor, placeSlug, type IdForms, type PlaceFacing } from '../core/place-key.ts';
export type * from '../core/media-provider.ts';
export type * from '../core/message.ts';
export type * from '../core/provider.ts';
export type * from '../core/reply.ts';
export type * from '../core/shell.ts';
export type { Log } from '../core/log.ts';
export type { Route } from '../core/route.ts';
export type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from '../core/transcript.ts';
export type { ThinkingLevel } from '../core/turn.ts';
export type { PictureAnswer, Tool, ToolContext, ToolResult } from '../core/tool.ts';
export { defineTool, errorResult, textResult } from '../core/tool.ts';
export { buttonLabel, byMenu, isChoice, type ChoiceButton } from '../core/choice.ts';
export { AppError } from '../core/errors.ts';
export { parseJson } from '../core/parse-json.ts';
export { backoff, jittered } from '../core/backoff.ts';
export { setNewest } from '../core/bounded-map.ts';
export { cut, excerpt, head } from '../core/cut.ts';
export { channelShape, idList, toolListsSchema, type ChannelSettings } from '../config/channel-config.ts';
export { commonRules } from '../config/channel-rules.ts';
export { systemClock, type Clock } from '../platform/clock.ts';
export { pause } from '../platform/pause.ts';
export { createKeyedQueue, createSerialQueue, type KeyedQueue, type SerialQueue } from '../platform/keyed-queue.ts';
export { createSemaphore, type Semaphore } from '../platform/semaphore.ts';
export { abortedBy, orAborted, orTimeout, settlesWithin, within } from '../platform/timeout.ts';
export { readAtMost, readBody, type BodyCarrier } from '../platform/bounded-body.ts';
export { dial, trustedWith, type DialRequest } from './dial.ts';
export { httpCall, type HttpAnswer, type HttpCall } from './http-call.ts';
export {
  runProgram,
  startProgram,
  stopLeftover,
  type Program,
  type ProgramEnd,
  type ProgramRequest,
} from './program.ts';
export { markHandled, onFailure, ignoreOutcome } from '../platform/settled.ts';
export { PRODUCT, PRODUCT_LABEL } from '../core/product.ts';
export { gatewayParameters, rpcOf } from './gateway-parameters.ts';
export { apiKeyFor, type KeyOwner } from './api-key.ts';
export { boundedFetch } from './bounded-fetch.ts';
export { createDelayedWriter, type DelayedWriter } from './delayed-writer.ts';
export { createIntake, type Intake } from './intake.ts';
export { openWatermark, type Watermark } from './watermark.ts';
export { sameSecret } from '../platform/same-secret.ts';
export { createProblemBoard, type ProblemBoard } from './problem-board.ts';
export { withManners, type ModelManners } from './chat-model.ts';
export { mediaHandler, type MediaWire, type Refusal } from './media-handler.ts';
export { endpoint, fileBody, jsonBody, SPEECH_TYPES } from './media-body.ts';
export { pictureInChat, transcription } from './media-openai.ts';
export { modelError } from './model-error.ts';
export { readButtonRows, type ButtonLimits, type ButtonSpec } from './button-rows.ts';
export { neverSent } from './never-sent.ts';
