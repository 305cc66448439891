import { isObject } from '../../core/json-value.ts'
import type { ModelToolCall } from './model-client.ts'
import type { ProviderPreset } from './presets.ts'
import type { ReplyDraft } from './reply-draft.ts'

/** The members of an assistant message in which servers want the model's thoughts back. */
export type ThoughtsMember = 'reasoning_content' | 'reasoning_details'

type Detail = Record<string, unknown>

/** Sent if thoughts are required and there are none; an empty text counts as missing. */
const noThoughts = ' '

/** The documented value for calls of other models: https://ai.google.dev/gemini-api/docs/thought-signatures. */
const noSignature = 'skip_thought_signature_validator'

/** The member in which a model's thoughts go back to it: the provider's, else the one in which they came. */
export function chooseMember(
  { thoughts, refusesThoughts }: ProviderPreset,
  draft: ReplyDraft,
): ThoughtsMember | undefined {
  if (thoughts !== undefined || refusesThoughts) return thoughts
  if (draft.thoughtsIn === 'reasoning_content') return 'reasoning_content'
  // Behind a gateway, signed thoughts of Gemini and Claude must come back as they were.
  const isSigned = mergeDetails(draft.thoughtDetails).some(
    ({ data, signature }) => typeof data === 'string' || typeof signature === 'string',
  )
  return isSigned ? 'reasoning_details' : undefined
}

/** Kimi's template reads the ids of its calls. */
const templateId = /^functions\.[\w.-]+:\d+$/

/** The calls with what only the model that made them gets back: `from` names it. */
export function keepForModel(
  calls: ModelToolCall[],
  draft: ReplyDraft,
  member: ThoughtsMember | undefined,
  from: string,
): ModelToolCall[] {
  const kept = member === undefined ? calls : keepThoughts(calls, draft, member)
  return kept.map((call, index) => {
    const id = call.id !== undefined && templateId.test(call.id) ? { id: call.id } : undefined
    if (id === undefined && call.extraContent === calls[index]?.extraContent) return call
    return { ...call, extraContent: { ...record(call.extraContent), ...id, from } }
  })
}

/**
 * The calls with the thoughts that led to them in their extra content, which the transcript stores with them.
 * OpenRouter ties a detail to a call by the provider's id; ours differs, so such a detail is sent without it.
 */
function keepThoughts(calls: ModelToolCall[], draft: ReplyDraft, member: ThoughtsMember): ModelToolCall[] {
  if (member === 'reasoning_content') {
    const { thoughts } = draft
    return thoughts === ''
      ? calls
      : calls.map((call, index) => (index > 0 ? call : withDetails(call, thoughts)))
  }
  const details = mergeDetails(draft.thoughtDetails).filter(isWorthSending)
  const ids = new Set<unknown>(calls.flatMap(({ id }) => (id === undefined ? [] : [id])))
  return calls.map((call, index) => {
    const loose = index > 0 ? [] : details.filter(({ id }) => !ids.has(id))
    const own = details.filter(({ id }) => id !== undefined && id === call.id)
    const all = [
      ...loose.map((detail) => ({ id: null, ...detail })),
      ...own.map(({ id: _ours, ...detail }) => detail),
    ]
    return all.length === 0 ? call : withDetails(call, all)
  })

  function withDetails(call: ModelToolCall, value: unknown): ModelToolCall {
    return { ...call, extraContent: { ...record(call.extraContent), [member]: value } }
  }
}

/** The member in which thoughts of these calls are kept, if they came from this model. */
export function keptMember(
  calls: readonly { extra_content?: unknown }[],
  from: string,
): ThoughtsMember | undefined {
  const own = calls.map(({ extra_content: extra }) => record(extra)).filter((extra) => extra.from === from)
  return (['reasoning_content', 'reasoning_details'] as const).find((member) =>
    own.some((extra) => extra[member] !== undefined),
  )
}

/** The id that the model itself gave a call. */
export function keptId(
  { extra_content: extra }: { extra_content?: unknown },
  from: string,
): string | undefined {
  const { id, from: model } = record(extra)
  return typeof id === 'string' && model === from ? id : undefined
}

/**
 * The members that an assistant message needs for a server that wants thoughts back; `calls` are as they are sent.
 * Thoughts of another model stay here.
 */
export function returnThoughts(
  calls: readonly { id: string; extra_content?: unknown }[],
  member: ThoughtsMember,
  { model, from }: { model: string; from: string },
): Record<string, unknown> {
  const kept = calls.map(({ extra_content: extra }) => {
    const details = record(extra)
    return details.from === undefined || details.from === from ? details[member] : undefined
  })
  if (member === 'reasoning_content') {
    return { reasoning_content: kept.find((thoughts) => typeof thoughts === 'string') ?? noThoughts }
  }
  const details = kept.flatMap((list, index) =>
    Array.isArray(list) ? list.map((detail) => ({ id: calls[index]?.id, ...record(detail) })) : [],
  )
  if (details.length > 0) return { reasoning_details: details }
  const [first] = calls
  if (first === undefined || !/^~?google\/gemini/.test(model)) return {}
  const type = 'reasoning.encrypted'
  return {
    reasoning_details: [{ id: first.id, type, data: noSignature, format: 'google-gemini-v1', index: 0 }],
  }
}

/** A stream sends one detail in pieces with the same type and index. */
function mergeDetails(pieces: readonly unknown[]): Detail[] {
  const merged: Detail[] = []
  for (const piece of pieces.map(record)) {
    const last = merged.at(-1)
    if (
      last === undefined ||
      last.type !== piece.type ||
      last.index !== piece.index ||
      last.id !== piece.id
    ) {
      merged.push({ ...piece })
      continue
    }
    for (const [name, value] of Object.entries(piece)) {
      const grows = ['text', 'summary', 'data'].includes(name) && typeof last[name] === 'string'
      if (grows && typeof value === 'string') last[name] += value
      else if (value !== null && value !== undefined) last[name] = value
    }
  }
  return merged
}

/** Google and Anthropic refuse a thought without their own proof. */
function isWorthSending({ format, data, signature }: Detail): boolean {
  const proven = typeof data === 'string' || typeof signature === 'string'
  return proven || !/^(?:google-gemini|anthropic-claude)/.test(String(format))
}

function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}
