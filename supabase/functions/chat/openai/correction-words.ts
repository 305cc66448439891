import { readPath } from '../../../../shared/engine/core/json-path.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ToolError } from '../../../../shared/engine/core/tool-error.ts'
import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import { schemaAt } from '../../../../shared/engine/schema/resolve-schema.ts'
import type { Call, Entry } from '../../../../shared/engine/transcript/entry.ts'
import { labelParameter } from '../../../../shared/engine/wording/parameter-label.ts'
import { fieldOf } from '../../../../shared/words/form-words.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { toolOf } from '../../../../shared/words/say.ts'

/**
 * What a model has corrected in its calls by itself, in one line for people once the call is valid: derived from the
 * entries of a run.
 */
export class Corrections {
  private readonly calls = new Map<string, Call>()
  /** By intent: labels of the invalid parameters. */
  private readonly faults = new Map<number, Set<string>>()
  private readonly language: Language

  constructor(language: Language) {
    this.language = language
  }

  /** The line, if this entry shows that a call was corrected. */
  add(entry: Entry, tools: ReadonlyMap<string, ToolSpecification>): string | undefined {
    if (entry.type === 'call') this.calls.set(entry.toolCallId, entry)
    if (entry.type === 'question') return entry.kind === 'approval' ? this.describe(entry.intent) : undefined
    const call = entry.type === 'result' ? this.calls.get(entry.toolCallId) : undefined
    if (entry.type !== 'result' || !call) return undefined
    if (entry.result.ok) return this.describe(call.intent)
    if (entry.result.resolver === 'model') this.note(call, entry.result, tools.get(call.toolName))
    return undefined
  }

  private describe(intent: number): string | undefined {
    const labels = this.faults.get(intent)
    this.faults.delete(intent)
    return labels && this.language.openai.corrected([...labels])
  }

  private note({ intent }: Call, { details }: ToolError, tool: ToolSpecification | undefined): void {
    if (!tool) return
    const places = [details.parameter, ...(details.problems ?? []).map(({ parameter }) => parameter)]
    for (const place of places) {
      const label = place === undefined ? undefined : labelOf(place, tool, this.language)
      if (label !== undefined) this.faults.set(intent, (this.faults.get(intent) ?? new Set()).add(label))
    }
  }
}

/** The label of a declared parameter as a whole: the first address of a list is still "recipient email address". */
function labelOf(
  place: string,
  { name: toolName, parameters }: ToolSpecification,
  language: Language,
): string | undefined {
  const path = readPath(place).slice(0, 1)
  const [name] = path
  const own = fieldOf(toolOf(language, toolName), String(name))
  if (own?.title) return own.title
  if (typeof name !== 'string' || !isObject(parameters.properties)) return undefined
  const schema = Object.hasOwn(parameters.properties, name) ? schemaAt(parameters, path) : undefined
  return isObject(schema) ? labelParameter(path, schema).text : undefined
}
