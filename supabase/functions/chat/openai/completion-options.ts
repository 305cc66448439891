import { clipText } from '../../../../shared/engine/core/clip-text.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { requireShallow } from '../../../../shared/server/http/json-depth.ts'
import type { ClientNote } from '../request/turn-request.ts'
import { ParameterError } from './openai-error.ts'

/** What a request asks for besides its messages. */
export interface CompletionOptions {
  /** The client's limit of tokens per answer. */
  maxAnswerTokens?: number
  client?: ClientNote
  /** The ignored parts of the request, for the header `x-askback-ignored`. */
  ignored: string[]
}

/** OpenAI's limits for `metadata`. */
const mostNotes = 16
const longestKey = 64
const longestValue = 512

/**
 * Reads the options. Options that would change the answer and cannot be supported are refused, except `tools`: many front
 * ends send them with every message. Throws ApiError 400.
 */
export function readOptions(body: Record<string, unknown>): CompletionOptions {
  const { messages: _, tools, functions, ...options } = body
  requireShallow(options)
  refuseUnable(options)
  const limits = [readTokens(options, 'max_tokens'), readTokens(options, 'max_completion_tokens')]
  const maxAnswerTokens = Math.min(...limits)
  const client = readClient(options)
  return {
    maxAnswerTokens: Number.isFinite(maxAnswerTokens) ? maxAnswerTokens : undefined,
    client,
    ignored: isFilled(tools) || isFilled(functions) ? ['tools'] : [],
  }
}

function refuseUnable(body: Record<string, unknown>): void {
  const { n, tool_choice: choice, function_call: call, audio, modalities, response_format: format } = body
  if (!isAbsent(n) && n !== 1) {
    throw new ParameterError('n', { why: 'several_answers', given: show(n) })
  }
  for (const [name, value] of [
    ['tool_choice', choice],
    ['function_call', call],
  ] as const) {
    if (isAbsent(value) || value === 'auto' || value === 'none') continue
    throw new ParameterError(name, { why: 'tools_of_client', name })
  }
  if (!isAbsent(audio) || (Array.isArray(modalities) && modalities.includes('audio'))) {
    const name = isAbsent(audio) ? 'modalities' : 'audio'
    throw new ParameterError(name, { why: 'audio', name })
  }
  if (!isAbsent(format) && !(isObject(format) && format.type === 'text')) {
    const type = isObject(format) ? format.type : format
    throw new ParameterError('response_format', { why: 'answer_format', type: show(type) })
  }
}

/** Refuses results of client tools since the user's last message. Throws ParameterError. */
export function refuseToolResults(messages: unknown): void {
  if (!Array.isArray(messages)) return
  const roles = messages.map((message) => (isObject(message) ? message.role : undefined))
  const since = roles.slice(roles.lastIndexOf('user') + 1)
  if (!since.some((role) => role === 'tool' || role === 'function')) return
  throw new ParameterError('messages', { why: 'ends_with_tool' })
}

/** Clients of local servers use -1 for no limit. */
function readTokens(body: Record<string, unknown>, name: string): number {
  const value = body[name]
  if (isAbsent(value) || value === -1) return Number.POSITIVE_INFINITY
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new ParameterError(name, { why: 'token_limit_unfit', name, given: show(value) })
}

function readClient({ user, metadata }: Record<string, unknown>): ClientNote | undefined {
  const named = typeof user === 'string' && user !== '' ? { user: clipText(user, longestValue) } : {}
  const notes = isObject(metadata) ? Object.entries(metadata).slice(0, mostNotes) : []
  const kept = notes.map(([key, value]) => [clipText(key, longestKey), clipText(asText(value), longestValue)])
  const client = { ...named, ...(kept.length > 0 ? { metadata: Object.fromEntries(kept) } : {}) }
  return Object.keys(client).length > 0 ? client : undefined
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function show(value: unknown): string {
  return clipText(JSON.stringify(value) ?? 'nothing', 60)
}
