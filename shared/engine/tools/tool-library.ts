import { AgentError } from '../core/agent-error.ts'
import type { Tool, ToolLibrary } from '../core/tool-specification.ts'

/**
 * Collects implementations by name. Throws an AgentError of kind `configuration` if two tools share a name.
 *
 * @example
 * const ping = defineTool({ name: 'ping', description: 'Answers', parameters: {}, effect: 'read', execute: () => 'pong' })
 * createToolLibrary([ping]).has('ping')
 * // => true
 */
export function createToolLibrary(tools: readonly Tool[]): ToolLibrary {
  requireUniqueNames(
    'tool library',
    tools.map(({ specification }) => specification.name),
  )
  return new Map(tools.map((tool) => [tool.specification.name, tool]))
}

/** Throws if names repeat: the model could not say which tool it means. */
export function requireUniqueNames(where: string, names: readonly string[]): void {
  if (new Set(names).size === names.length) return
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  const list = [...repeated].map((name) => `"${name}"`).join(', ')
  throw new AgentError(
    'configuration',
    `The ${where} has more than one tool named ${list}. Please give each its own name.`,
  )
}
