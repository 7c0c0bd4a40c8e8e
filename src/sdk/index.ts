/** Everything a plugin may import. Adding a name here is a public-API decision. */
export type * from '../core/channel.ts';
export type * from '../core/media-provider.ts';
export type * from '../core/message.ts';
export type * from '../core/provider.ts';
export type * from '../core/reply.ts';
export type { Log } from '../core/log.ts';
export type { Route } from '../core/route.ts';
export type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from '../core/transcript.ts';
export type { ThinkingLevel } from '../core/turn.ts';
export type { Tool, ToolContext, ToolResult } from '../core/tool.ts';
export { defineTool, errorResult, textResult } from '../core/tool.ts';
export { AppError } from '../core/errors.ts';
export { PRODUCT, PRODUCT_LABEL } from '../core/product.ts';
export { apiKeyFor } from './api-key.ts';
export { withManners, type ModelManners } from './chat-model.ts';
export { modelError } from './model-error.ts';
