import type { z } from 'zod'
import { clipText } from '../../../../shared/engine/core/clip-text.ts'
import type { FailureCause } from '../../../../shared/engine/models/protocol/call-failure.ts'
import type { RequestCut } from '../../../../shared/engine/models/protocol/model-client.ts'
import type { Entry, Notice } from '../../../../shared/engine/transcript/entry.ts'
import type { executionFactsSchema } from '../../../../shared/server/database/write-schema.ts'
import { createNaming, type KnownTool, type Naming } from '../entries/naming.ts'

/** A stored entry, of a run or of those that continue it. */
export interface TimedEntry {
  runId: string
  /** Start of its run; ISO 8601. */
  startedAt: string
  /** ISO 8601; several entries are stored at once. */
  storedAt: string
  entry: Entry
}

/** The ledger's record of a call. */
type ExecutionFacts = z.infer<typeof executionFactsSchema>

/**
 * One event, as an operator sees it: when, what kind, how long, and codes. Never what people, models or
 * tools said: no text, no value of an argument, no output, no sentence of an error, which may quote them.
 */
export interface Moment {
  runId: string
  /** ISO 8601. */
  at: string
  type: Entry['type'] | 'unreported'
  durationMs?: number
  facts: Record<string, string | number | boolean | string[]>
}

/** What happened in a run, in order. */
export function projectTimeline(
  entries: readonly TimedEntry[],
  executions: readonly ExecutionFacts[],
  tools: readonly KnownTool[],
): Moment[] {
  const naming = createNaming(
    tools,
    entries.map(({ entry }) => entry),
  )
  const times = inTime(entries.map((timed) => happenedAt(timed, executions)))
  const moments = entries.map(({ runId, storedAt, entry }, index): Moment => {
    const durationMs = durationOf(entry)
    return {
      runId,
      at: times[index] ?? storedAt,
      type: entry.type,
      durationMs: durationMs === undefined ? undefined : Math.round(durationMs),
      facts: clipFacts(factsOf(entry, naming)),
    }
  })
  return [...moments, ...unreported(entries, executions, naming)]
}

/** The ledger records when a call started and ended; anything else is dated by when it was stored. */
function happenedAt(
  { entry, storedAt, startedAt }: TimedEntry,
  executions: readonly ExecutionFacts[],
): number {
  if (entry.type === 'run-start') return Date.parse(startedAt)
  const execution =
    entry.type === 'call' || entry.type === 'result'
      ? executions.find(({ toolCallId }) => toolCallId === entry.toolCallId)
      : undefined
  const noted = entry.type === 'call' ? execution?.at : execution?.settledAt
  // A call that waited for somebody is repeated in the run that continues it.
  return Math.max(Date.parse(noted ?? storedAt), Date.parse(startedAt))
}

/** An entry that was stored late did not happen later than what came after it. */
function inTime(times: readonly number[]): string[] {
  let next = Number.POSITIVE_INFINITY
  const capped = times.toReversed().map((time) => {
    next = Math.min(next, time)
    return new Date(next).toISOString()
  })
  return capped.reverse()
}

/** Calls in the ledger whose end is not in the transcript: their process died, or they are running now. */
function unreported(
  entries: readonly TimedEntry[],
  executions: readonly ExecutionFacts[],
  naming: Naming,
): Moment[] {
  const ended = new Set(entries.flatMap(({ entry }) => (entry.type === 'result' ? entry.toolCallId : [])))
  const runId = entries.at(-1)?.runId ?? ''
  return executions
    .filter(({ toolCallId }) => !ended.has(toolCallId))
    .map(({ toolName, attempt, status, errorType, at }) => ({
      runId,
      at,
      type: 'unreported',
      facts: clipFacts({ tool: naming.tool(toolName), attempt, status, error: errorType }),
    }))
}

function durationOf(entry: Entry): number | undefined {
  switch (entry.type) {
    case 'step-end':
    case 'result':
      return entry.durationMs
    case 'wait':
      return entry.waitMs
    case 'notice':
      return entry.notice === 'model-retry' ? entry.waitMs : undefined
    default:
      return undefined
  }
}

type Facts = Record<string, string | number | boolean | string[] | null | undefined>

function factsOf(entry: Entry, naming: Naming): Facts {
  switch (entry.type) {
    case 'user-message': {
      const { content } = entry
      if (typeof content === 'string') return { characters: content.length }
      const texts = content.flatMap((part) => (part.type === 'text' ? String(part.text) : []))
      const files = content.filter(({ type }) => type === 'file').length
      return { characters: texts.join('').length, files: files || undefined }
    }
    case 'client-call':
      return { tool: naming.tool(entry.name), client: entry.client.name }
    case 'model-text':
      return { characters: entry.text.length }
    case 'step-end': {
      const { provider, model, finishReason, usage, cut } = entry
      const tokens = usage.inputTokens + usage.outputTokens
      return { provider, model, finishReason, tokens, ...(cut ? aboutCut(cut) : {}) }
    }
    case 'call': {
      const { toolCallId, toolName, attempt, repairs, prepared, repeated, approved } = entry
      return {
        tool: naming.tool(toolName),
        attempt,
        repairs:
          repairs.length > 0
            ? repairs.map(({ path, rule }) => `${naming.parameter(toolCallId, path) || 'call'}: ${rule}`)
            : undefined,
        prepared: prepared ? undefined : false,
        repeated,
        decided: approved,
      }
    }
    case 'result': {
      const { toolCallId, status, tries, result } = entry
      if (result.ok) return { status, tries }
      const { errorType, resolver, details } = result
      const parameter = details.parameter && naming.parameter(toolCallId, details.parameter)
      return { status, tries, error: errorType, parameter, resolver }
    }
    case 'question': {
      const { kind, toolCallId, toolName, open, resumeAt, outcomeUnknown } = entry
      const places = open.map((path) => naming.parameter(toolCallId, path))
      return {
        kind,
        tool: toolName && naming.tool(toolName),
        open: places.length > 0 ? places : undefined,
        resumeAt,
        outcomeUnknown,
      }
    }
    case 'decision':
      return { decision: entry.decision }
    case 'nudge':
      return { stall: entry.stall }
    case 'notice':
      if (entry.notice === 'tool-refused') {
        const { notice, model, tool, why } = entry
        return { notice, model, tool: naming.tool(tool), why }
      }
      return aboutNotice(entry)
    case 'tool-model-call':
      return { provider: entry.provider, model: entry.model }
    case 'run-end':
      return { status: entry.status }
    default:
      return {}
  }
}

function aboutNotice(entry: Exclude<Notice, { notice: 'tool-refused' }>): Facts {
  const { notice } = entry
  switch (notice) {
    case 'model-switch':
      return { notice, from: entry.from, to: entry.to, ...whyOf(entry.failure) }
    case 'model-retry':
      return { notice, model: entry.model, attempt: entry.attempt, ...whyOf(entry.failure) }
    case 'model-failed':
      return { notice, model: entry.failure?.model, ...whyOf(entry.failure) }
    case 'window-learned': {
      const { model, window, sent, by } = entry
      return { notice, model, window, sent, by }
    }
    case 'budget':
      return { notice }
  }
}

/** In our own words: what a server has said may quote the conversation. */
function whyOf(failure: FailureCause | undefined): Facts {
  return failure ? { error: failure.errorType, why: failure.why } : {}
}

function aboutCut({ window, sent, results, texts, turns, ofThisTurn }: RequestCut): Facts {
  const counts = { results, texts, turns, ofThisTurn }
  const cut = Object.entries(counts).filter(([, count]) => count > 0)
  return { window, sent, cut: cut.map(([name, count]) => `${name}: ${count}`) }
}

/** Names of models are chosen by people: none is long. */
const longestFact = 100

function clipFacts(facts: Facts): Moment['facts'] {
  const kept: Moment['facts'] = {}
  for (const [name, value] of Object.entries(facts)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) kept[name] = value.map((one) => clipText(one, longestFact))
    else kept[name] = typeof value === 'string' ? clipText(value, longestFact) : value
  }
  return kept
}
