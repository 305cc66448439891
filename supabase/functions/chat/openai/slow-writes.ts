import type { ToolSpecification } from '../../../../shared/engine/core/tool-specification.ts'
import type { Call, Entry } from '../../../../shared/engine/transcript/entry.ts'
import { callValues } from '../../../../shared/engine/wording/call-values.ts'
import { titleOf } from '../../../../shared/engine/wording/tool-title.ts'
import type { Language } from '../../../../shared/words/language.ts'
import { stateFor } from '../../../../shared/words/languages/in-english.ts'

/** Milliseconds after which people wonder whether anything is happening. */
const slowMs = 2000

/** Says once for each slow write that it is in progress: derived from the entries of a run, while it works. */
export class SlowWrites {
  private readonly say: (line: string) => void
  private readonly language: Language
  private readonly reads = new Set<string>()
  /** The sentences for writes that have not ended. */
  private readonly writes = new Map<string, string>()
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(language: Language, say: (line: string) => void) {
    this.language = language
    this.say = say
  }

  add(entry: Entry, tools: ReadonlyMap<string, ToolSpecification>): void {
    if (entry.type === 'call' && entry.prepared) {
      if (entry.effect === 'read') this.reads.add(entry.toolCallId)
      else this.writes.set(entry.toolCallId, this.describe(entry, tools.get(entry.toolName)))
    } else if (entry.type === 'result' || entry.type === 'question') {
      for (const id of [entry.toolCallId, ...('together' in entry ? (entry.together ?? []) : [])]) {
        this.reads.delete(id)
        this.writes.delete(id)
      }
    } else if (entry.type === 'run-end') this.writes.clear()
    else return
    this.end()
    // Writes come after the reads of their round.
    if (this.writes.size > 0 && this.reads.size === 0) this.timer = setTimeout(() => this.announce(), slowMs)
  }

  /** What was called is void. */
  forget(): void {
    this.end()
    this.reads.clear()
    this.writes.clear()
  }

  /** Nobody is listening any more. */
  end(): void {
    clearTimeout(this.timer)
  }

  private describe({ input }: Call, tool: ToolSpecification | undefined): string {
    const { language } = this
    if (!tool) return language.openai.atWork(undefined)
    const what =
      typeof input === 'object'
        ? stateFor(language, callValues(tool, input, []), { tool, input })
        : titleOf(tool)
    return language.openai.atWork(what)
  }

  private announce(): void {
    for (const line of new Set(this.writes.values())) this.say(line)
    this.writes.clear()
  }
}
