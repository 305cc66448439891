import { AgentError } from '../core/agent-error.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { isObject } from '../core/json-value.ts'
import type { Tool, ToolLibrary, ToolSpecification } from '../core/tool-specification.ts'
import { requireUniqueNames } from './tool-library.ts'

/** The stored specifications of these tools are not those of the library. */
export class ToolsDoNotFit extends AgentError {
  readonly tools: readonly string[]
  constructor(tools: readonly string[], message: string) {
    super('configuration', message)
    this.tools = tools
  }
}

/**
 * Binds specifications, as stored with an agent, to their implementations. Each must match the library in
 * description, parameters, effect and trusted output (ignoring the order of keys), and tools that are private or
 * foreign in the library must be marked so; the other members are the agent's own. Throws an AgentError of kind `configuration` that lists every mismatch.
 *
 * @example
 * const ping = defineTool({ name: 'ping', description: 'Answers', parameters: {}, effect: 'read', execute: () => 'pong' })
 * const [bound] = bindTools([{ ...ping.specification, approval: 'always' }], createToolLibrary([ping]))
 * bound.specification.approval
 * // => 'always'
 */
export function bindTools(specifications: readonly ToolSpecification[], library: ToolLibrary): Tool[] {
  requireUniqueNames(
    'agent',
    specifications.map(({ name }) => name),
  )
  const mismatches: string[] = []
  const unfit = new Set<string>()
  const bound: Tool[] = []
  for (const specification of specifications) {
    const tool = library.get(specification.name)
    const found = tool ? findMismatches(specification, tool.specification) : ['it is not in the library']
    if (found.length > 0) unfit.add(specification.name)
    mismatches.push(...found.map((mismatch) => `"${specification.name}": ${mismatch}`))
    if (tool && found.length === 0) bound.push(bindTool(specification, tool))
  }
  if (mismatches.length > 0) {
    throw new ToolsDoNotFit(
      [...unfit],
      `${mismatches.length === 1 ? 'A tool does' : 'Tools do'} not match the library. ${mismatches.join('; ')}. Please update the stored specification or the library.`,
    )
  }
  return bound
}

function bindTool(specification: ToolSpecification, tool: Tool): Tool {
  if (specification === tool.specification) return tool
  return {
    specification,
    execute: (args, context) => tool.execute(args, context),
    look: tool.look?.bind(tool),
    verify: tool.verify?.bind(tool),
    requirement: tool.requirement?.bind(tool),
    checkConnection: tool.checkConnection?.bind(tool),
  }
}

function findMismatches(stored: ToolSpecification, implemented: ToolSpecification): string[] {
  if (stored === implemented) return []
  const mismatches: string[] = []
  if (stored.description !== implemented.description) mismatches.push('its description differs')
  const path = firstDifference(stored.parameters, implemented.parameters, 'parameters')
  if (path) mismatches.push(`its schema differs at ${path}`)
  if (stored.effect !== implemented.effect) {
    mismatches.push(`its effect is "${stored.effect}", in the library "${implemented.effect}"`)
  }
  const trusted = [...(stored.trustedOutput ?? [])].sort()
  if (canonicalJson(trusted) !== canonicalJson([...(implemented.trustedOutput ?? [])].sort())) {
    mismatches.push('its trusted output differs')
  }
  if (implemented.private && !stored.private) mismatches.push('it is not marked private')
  if (implemented.foreign && !stored.foreign) mismatches.push('it is not marked foreign')
  if (stored.repliesTo !== undefined && stored.repliesTo !== implemented.repliesTo) {
    mismatches.push(`its repliesTo is "${stored.repliesTo}", in the library "${implemented.repliesTo ?? ''}"`)
  }
  return mismatches
}

/** Where two JSON values first differ, like `parameters.properties.to.format`; undefined if they are equal. */
function firstDifference(a: unknown, b: unknown, path: string): string | undefined {
  if (a === b || canonicalJson(a) === canonicalJson(b)) return undefined
  if (!isObject(a) || !isObject(b)) return path
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const difference = firstDifference(a[key], b[key], `${path}.${key}`)
    if (difference) return difference
  }
  return path
}
