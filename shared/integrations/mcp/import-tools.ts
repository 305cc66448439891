import type { Said } from '../../engine/core/asked.ts'
import { isObject } from '../../engine/core/json-value.ts'
import { storableJson } from '../../engine/core/storable-json.ts'
import { titleOf } from '../../engine/wording/tool-title.ts'
import { plainTitle, plainWords } from '../text/plain-words.ts'
import { type Annotations, type ForeignTool, hints } from './foreign-tool.ts'
import { readArgumentSchema, readResultSchema } from './schema/argument-schema.ts'
import type { Budget } from './schema/read-schema.ts'
import { SchemaError } from './schema/schema-error.ts'
import { nameTools } from './tool-names.ts'

const mostTools = 200
/** Characters of JSON of all definitions of a server together. */
const mostCharacters = 2 * 1024 * 1024
/** Places and values of all schemas of a server together; the largest list that was recorded has 3,000. */
const mostPlaces = 60_000
/** Characters of a name, as its server has it; the protocol asks for 128 at most. */
const longestName = 256
const longestTitle = 80
/** The longest one that was recorded has 6,549. */
const longestDescription = 10_000
/** Tools of which it is said one by one why they were not taken. */
const mostNotes = 50

export interface ImportedTools {
  tools: ForeignTool[]
  /** For people: what was not taken as it is, and why. */
  notes: Said[]
}

type Unnamed = Omit<ForeignTool, 'name'>

/**
 * Reads a server's answer to `tools/list` (or the tools of all its pages), whatever it is; never throws. At most 200 tools are
 * taken, in the server's order. `server`: the name that stands before those of its tools; `taken`: the names of all other tools
 * that there are. `total`: how many tools there are, where the list is only their beginning.
 */
export async function importTools(
  listed: unknown,
  { server, taken, total = 0 }: { server: string; taken: Iterable<string>; total?: number },
): Promise<ImportedTools> {
  const list = listOf(listed)
  if (!list) return { tools: [], notes: [{ code: 'foreign_tools_unreadable' }] }
  const reading = new Reading()
  for (const one of list) if (!reading.isFull) reading.add(one)
  const { read, notes, isFull, seen } = reading
  const count = Math.max(total, list.length)
  if (count > list.length || (isFull && (seen < count || read.length < mostTools)))
    notes.push({ code: 'foreign_tools_too_many', values: { count, most: read.length } })
  const names = await nameTools(
    server,
    read.map(({ foreignName }) => foreignName),
    taken,
  )
  const tools = read.flatMap((tool): ForeignTool[] => {
    const named = names.get(tool.foreignName)
    const values = { tool: spoken(tool.foreignName), name: named?.name }
    if (!named) notes.push({ code: 'foreign_tool_unreadable', values })
    else if (named.isRenamed) notes.push({ code: 'foreign_tool_renamed', values })
    return named ? [{ name: named.name, ...tool }] : []
  })
  return { tools, notes: someOf(notes) }
}

function listOf(listed: unknown): unknown[] | undefined {
  try {
    const list = isObject(listed) ? listed.tools : listed
    return Array.isArray(list) ? [...list] : undefined
  } catch {
    return undefined
  }
}

/** The first notes, and how many there are besides. */
function someOf(notes: Said[]): Said[] {
  if (notes.length <= mostNotes) return notes
  const count = notes.length - mostNotes
  return [...notes.slice(0, mostNotes), { code: 'foreign_tools_more_notes', values: { count } }]
}

/** What was read of a list so far. */
class Reading {
  readonly read: Unnamed[] = []
  readonly notes: Said[] = []
  seen = 0
  private characters = 0
  private readonly budget: Budget = { places: mostPlaces }
  private readonly names = new Set<string>()

  get isFull(): boolean {
    return this.read.length >= mostTools || this.characters > mostCharacters || this.budget.places < 0
  }

  add(given: unknown): void {
    this.seen++
    const name = nameOf(given)
    if (name === undefined) {
      this.notes.push({ code: 'foreign_tool_unnamed', values: { number: this.seen } })
      return
    }
    const note = (code: Said['code']) => this.notes.push({ code, values: { tool: spoken(name) } })
    if (this.names.has(name)) {
      note('foreign_tool_repeated')
      return
    }
    this.names.add(name)
    try {
      const { tool, isLoose, isCut } = readTool(name, given as Record<string, unknown>, this.budget)
      this.characters += JSON.stringify(tool).length
      if (this.characters > mostCharacters) return
      this.read.push(tool)
      if (isLoose) note('foreign_tool_unchecked')
      if (isCut) note('foreign_words_cut')
    } catch (error) {
      note(error instanceof SchemaError ? error.fault : 'foreign_tool_unreadable')
    }
  }
}

/** The exact name of a tool; undefined if it has none that can be stored and sent back. */
function nameOf(given: unknown): string | undefined {
  try {
    const name = isObject(given) ? given.name : undefined
    if (typeof name !== 'string' || name.trim() === '' || name.length > longestName) return undefined
    const json = JSON.stringify(name)
    return storableJson(json) === json ? name : undefined
  } catch {
    return undefined
  }
}

/** A name in a sentence. */
function spoken(name: string): string {
  return plainTitle(name, longestTitle) || '?'
}

function readTool(
  foreignName: string,
  given: Record<string, unknown>,
  budget: Budget,
): { tool: Unnamed; isLoose: boolean; isCut: boolean } {
  const annotations = isObject(given.annotations) ? given.annotations : {}
  const title = plainTitle(given.title, longestTitle) || plainTitle(annotations.title, longestTitle)
  const { text: description, isCut } = plainWords(given.description, longestDescription)
  const { schema: inputSchema, isLoose } = readArgumentSchema(given.inputSchema, budget)
  const outputSchema = readResultSchema(given.outputSchema, budget)
  return {
    isLoose,
    isCut,
    tool: {
      foreignName,
      title: title || titleOf({ name: spoken(foreignName) }),
      description,
      inputSchema,
      ...(outputSchema && { outputSchema }),
      annotations: readAnnotations(annotations),
    },
  }
}

function readAnnotations(given: Record<string, unknown>): Annotations {
  return Object.fromEntries(
    hints.flatMap((hint) => (typeof given[hint] === 'boolean' ? [[hint, given[hint]] as const] : [])),
  )
}
