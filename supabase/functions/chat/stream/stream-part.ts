/**
 * The parts of the AI SDK's UI message stream, version 1, with the keys that every version of `ai` since 6.0.0 accepts:
 * the schemas of ai 6.0.0 to 6.0.230 and 7.0.0 to 7.0.31 refuse any other key, and all refuse nulls instead of strings.
 *
 * Source: https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol and `uiMessageChunkSchema` of those versions.
 */
export type StreamPart =
  | { type: 'start'; messageId: string; messageMetadata: Metadata }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'reasoning-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; toolCallId: string; toolName: string }
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | { type: 'tool-input-available'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string }
  | SourcePart
  /** `transient`: sent while streaming, and no part of the message. */
  | { type: `data-${string}`; id?: string; data: unknown; transient?: true }
  | { type: 'message-metadata'; messageMetadata: Metadata }
  | { type: 'finish'; finishReason: FinishReason; messageMetadata: Metadata }
  | { type: 'abort' }
  | { type: 'error'; errorText: string }

export type SourcePart =
  | { type: 'source-url'; sourceId: string; url: string; title: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string }

export type FinishReason = 'stop' | 'tool-calls' | 'other'

/** Merged into what was sent before, deeply. */
export type Metadata = object
