import type { FindRecord } from '../../words/fill-template.ts'
import { isObject } from '../core/json-value.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { makeSingular } from '../schema/words-of-name.ts'
import type { Entry } from './entry.ts'

type Tools = ReadonlyMap<string, ToolSpecification>

/**
 * Finds what a conversation's outputs say about an id, newest first: an object that has it as `id` or under the
 * name of the parameter (`document_id`, `message_id` for `message_ids`). Only outputs of tools with the same
 * provider as `tool` count: a web page must not be able to name somebody's document.
 */
export function findRecords(entries: readonly Entry[], tools: Tools, tool: ToolSpecification): FindRecord {
  return (parameter, id) => {
    const keys = ['id', parameter, makeSingular(parameter) ?? parameter]
    for (const output of newestOutputs(entries, tools, tool)) {
      const record = findIn(output, (object) => keys.some((key) => object[key] === id))
      if (record) return record
    }
    return undefined
  }
}

function* newestOutputs(entries: readonly Entry[], tools: Tools, tool: ToolSpecification) {
  const names = new Map(
    entries.flatMap((entry) => (entry.type === 'call' ? [[entry.toolCallId, entry.toolName] as const] : [])),
  )
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]
    if (entry?.type !== 'result' || !entry.result.ok) continue
    const other = tools.get(names.get(entry.toolCallId) ?? '')
    if (other && isKin(tool, other)) yield entry.result.data
  }
}

function isKin(a: ToolSpecification, b: ToolSpecification): boolean {
  return a.name === b.name || (b.providers ?? []).some((provider) => a.providers?.includes(provider))
}

/** Levels of an output that are searched: lists are near its top. */
const deepest = 6

function findIn(
  value: unknown,
  isIt: (object: Record<string, unknown>) => boolean,
  depth = 0,
): Record<string, unknown> | undefined {
  if (depth > deepest || typeof value !== 'object' || value === null) return undefined
  if (isObject(value) && isIt(value)) return value
  for (const item of Object.values(value)) {
    const found = findIn(item, isIt, depth + 1)
    if (found) return found
  }
  return undefined
}
