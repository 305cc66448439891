import { type Schema, validate } from '@cfworker/json-schema'
import { foldName } from '../../shared/engine/calls/names/compare-names.ts'
import { prepareToolCall } from '../../shared/engine/calls/prepare-tool-call.ts'
import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'
import { storableJson } from '../../shared/engine/core/storable-json.ts'
import type { ToolSpecification } from '../../shared/engine/core/tool-specification.ts'
import { plainestRules, type ToolRules } from '../../shared/engine/models/protocol/tool-rules.ts'
import { wireTool } from '../../shared/engine/models/protocol/wire-tools.ts'
import { formatToolError } from '../../shared/engine/wording/format-tool-error.ts'
import { questionForPeople } from '../../shared/engine/wording/question-for-people.ts'
import { compareDefinitions } from '../../shared/integrations/mcp/compare-definitions.ts'
import type { ForeignTool } from '../../shared/integrations/mcp/foreign-tool.ts'
import { importTools } from '../../shared/integrations/mcp/import-tools.ts'
import { specify } from '../../shared/integrations/mcp/specify.ts'
import { inEnglish } from '../../shared/words/languages/in-english.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { spoilDefinition } from './spoil-definition.ts'
import { type Arguments, makeValidCall, type Random } from './valid-call.ts'

export interface DefinitionResult {
  definitions: number
  taken: number
  calls: number
  /** Of two versions of a definition: how often the newer one counts as taking all that the older one takes. */
  compatible: number
  wrong: string[]
}

type Listed = Record<string, unknown>

const spoiledPerTool = 40
const callsPerTool = 4

/** Spoils the definitions of each list, reads them as a server's list, and calls what was taken. */
export async function measureDefinitions(
  lists: readonly (readonly Listed[])[],
  seed = 46,
): Promise<DefinitionResult> {
  const result: DefinitionResult = { definitions: 0, taken: 0, calls: 0, compatible: 0, wrong: [] }
  const random = seededRandom(seed)
  for (const list of lists) {
    for (const tool of list) {
      for (let count = 0; count < spoiledPerTool; count++)
        await measureOne(spoilDefinition(tool, random), tool, random, result)
    }
  }
  return result
}

async function measureOne(
  spoiled: Listed,
  original: Listed,
  random: Random,
  result: DefinitionResult,
): Promise<void> {
  result.definitions++
  const report = (what: string) => result.wrong.push(`${String(original.name)}: ${what}: ${show(spoiled)}`)
  try {
    const { tools, notes } = await importTools([spoiled], { server: 'lab', taken: ['lab_tool'] })
    if (notes.some((said) => /undefined|\[object/.test(inEnglish(said)))) report('a sentence with a gap')
    const [tool] = tools
    if (!tool) return
    result.taken++
    for (const fault of faultsOf(tool)) report(fault)
    const specification = specify(tool, { name: 'lab', trusted: random(2) === 0 })
    tryCalls(spoiled.inputSchema, original.inputSchema, specification, random, { result, report })
    await tryComparison(tool, original, random, { result, report })
  } catch (error) {
    report(`throws ${error instanceof Error ? error.message : error}`)
  }
}

/** What a definition must be, whatever it was made of. */
function faultsOf(tool: ForeignTool): string[] {
  const json = JSON.stringify(tool)
  return [
    ...(/^[a-zA-Z_][\w-]{0,63}$/.test(tool.name) ? [] : ['a name that providers refuse']),
    ...(foldName(tool.name) === 'labtool' ? ['the name of another tool'] : []),
    ...(storableJson(json) === json ? [] : ['characters that cannot be stored']),
    ...(/"(?:source|question|aliases|json|anyDepth)":/.test(withoutNames(tool)) ? ['keywords of ours'] : []),
  ]
}

/** Its schema without the parameters that happen to be called so. */
function withoutNames({ inputSchema }: ForeignTool): string {
  return JSON.stringify(inputSchema, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && 'properties' in value
      ? { ...value, properties: Object.values((value as { properties: object }).properties ?? {}) }
      : value,
  )
}

interface Report {
  result: DefinitionResult
  report: (what: string) => void
}

const wires: readonly ToolRules[] = [
  plainestRules,
  { form: 'openapi' },
  { form: 'typed', depth: 5 },
  { form: 'plain' },
]

/** No call that the schema itself accepts may be refused or changed, and nothing may throw. */
function tryCalls(
  schema: unknown,
  original: unknown,
  tool: ToolSpecification,
  random: Random,
  { result, report }: Report,
): void {
  for (const rules of wires) JSON.stringify(wireTool(tool, rules, undefined))
  for (let count = 0; count < callsPerTool; count++) {
    const args = validFor(schema, count % 2 === 0 ? (original as JsonSchema) : tool.parameters, random)
    const sent = args ? JSON.stringify(args) : '{"text": 7, "more": [{'
    result.calls++
    const prepared = prepareToolCall({ name: tool.name, rawArguments: sent, tools: [tool] })
    if (args && !prepared.ok) report(`a valid call was refused, ${sent}: ${prepared.error.error}`)
    if (args && prepared.ok && JSON.stringify(prepared.args) !== sent)
      report(`a valid call was changed, ${sent}`)
    if (prepared.ok) continue
    formatToolError(prepared.error, { attempt: 3, maxAttempts: 3, tool })
    questionForPeople(prepared.error)
  }
}

/**
 * Arguments that the schema of the server accepts, in a validator that knows nothing of ours; made from what it was before it
 * was spoiled, or from what was read of it.
 */
function validFor(schema: unknown, made: JsonSchema | undefined, random: Random): Arguments | undefined {
  const args = makeValidCall(made ?? {}, random)
  // Which no call may have.
  if (!args || JSON.stringify(args).includes('"__proto__"')) return undefined
  return schema === undefined || accepts(schema, args) ? args : undefined
}

function accepts(schema: unknown, args: Arguments): boolean {
  try {
    // As the server wrote it, which may refer to itself.
    return validate(args, JSON.parse(JSON.stringify(schema)) as Schema, '2020-12').valid
  } catch {
    return false
  }
}

/** Where a newer definition counts as taking all that an older one takes, it has to. */
async function tryComparison(
  after: ForeignTool,
  original: Listed,
  random: Random,
  { result, report }: Report,
): Promise<void> {
  const [before] = (await importTools([original], { server: 'lab', taken: [] })).tools
  if (!before || before.foreignName !== after.foreignName) return
  const [change] = compareDefinitions([before], [after])
  if (change === undefined || change.kind === 'off') return
  result.compatible++
  const [old, now] = [before, after].map((tool) => specify(tool, { name: 'lab', trusted: false }))
  for (let count = 0; count < callsPerTool && old && now; count++) {
    const args = makeValidCall(old.parameters, random)
    const rawArguments = JSON.stringify(args)
    if (args && !prepareToolCall({ name: now.name, rawArguments, tools: [{ ...now, name: now.name }] }).ok)
      report(`it no longer takes ${rawArguments}`)
  }
}

function show(value: unknown): string {
  try {
    return JSON.stringify(value).slice(0, 600)
  } catch {
    return 'a definition that holds itself'
  }
}

/** In one sentence, below the table. */
export function sentenceOf({ definitions, taken, calls, compatible, wrong }: DefinitionResult): string {
  return `Of ${definitions} spoiled definitions ${taken} were taken, ${compatible} of them as ones that take all that the recorded ones take; ${calls} calls were tried. Wrong: ${wrong.length}.`
}
