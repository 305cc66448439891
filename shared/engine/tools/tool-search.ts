import { clipText } from '../core/clip-text.ts'
import type { Tool, ToolSpecification } from '../core/tool-specification.ts'
import { toolTokens } from '../window/estimate-tokens.ts'
import { defineTool } from './define-tool.ts'
import { findTools } from './find-tools.ts'

/** The tool by which a model finds the others, where it has too many to be told of at once. */
export const toolSearchName = 'search_tools'

/** Characters of definitions that a model is told at once, however large its window is. */
const mostCharacters = 51_200
/** The part of its window that definitions may take. */
const largestShare = 1 / 4
/** Tools that a request may define at OpenAI (128), less the search. */
export const mostTools = 127
/** Tools of servers that a model is told of at once, and tokens of their definitions. */
const mostForeign = 30
const mostForeignTokens = 8_000
/** Characters of a description in the list of what a search has found; ours are shorter. */
const longestListed = 600

/** Lengths by parameters, which stay the same object from turn to turn. */
const lengths = new WeakMap<object, number>()

/**
 * The tools that a model is not told of at once, but finds: those of servers that others run, if there are many of them or
 * they leave no room, and all, if ours alone are more than a request may define or its window has room for (tokens).
 */
export function toolsToFind(
  tools: readonly ToolSpecification[],
  window: number,
): readonly ToolSpecification[] {
  if (tools.some(({ name }) => name === toolSearchName)) return []
  if (
    !fits(
      tools.filter(({ foreign }) => !foreign),
      window,
    )
  )
    return tools
  const foreign = tools.filter((tool) => tool.foreign)
  const isMuch =
    foreign.length > mostForeign ||
    foreign.reduce((sum, tool) => sum + toolTokens(tool), 0) > mostForeignTokens
  return isMuch || !fits(tools, window) ? foreign : []
}

function fits(tools: readonly ToolSpecification[], window: number): boolean {
  const characters = tools.reduce((sum, tool) => sum + lengthOf(tool), 0)
  return (
    tools.length <= mostTools &&
    characters <= mostCharacters &&
    fitShare(tools, window).length === tools.length
  )
}

/** The first ones of the tools, as many as fit their share of the window; always one. */
export function fitShare(tools: readonly ToolSpecification[], window: number): ToolSpecification[] {
  let free = window * largestShare
  const end = tools.findIndex((tool) => {
    free -= toolTokens(tool)
    return free < 0
  })
  return end < 0 ? [...tools] : tools.slice(0, Math.max(1, end))
}

function lengthOf({ name, description, parameters }: ToolSpecification): number {
  const length = lengths.get(parameters) ?? JSON.stringify(parameters).length
  lengths.set(parameters, length)
  return name.length + description.length + length
}

/** The search over tools of an agent. What it finds joins the definitions in the model's next request, and fits there. */
export function createToolSearch(tools: readonly ToolSpecification[], window: number): Tool {
  return defineTool({
    name: toolSearchName,
    title: 'Search tools',
    summary: 'Searched the tools for "{query}"',
    description: `Finds tools by what they do. There are ${tools.length} tools${serversOf(tools)}, of which you see only those that were found: search before you say that something cannot be done.`,
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'What the tool should do, in a few words.',
          question: 'What should the tool do?',
          hint: 'Please provide a few words, like "send email".',
          examples: ['send email'],
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    execute: ({ query }) => ({
      // What is found is defined in the next request, with its whole description.
      tools: fitShare(findTools(String(query), tools), window).map(({ name, description }) => ({
        name,
        description: clipText(description, longestListed),
      })),
    }),
  })
}

/** Whose they are, if they are of servers alone: the model can name one in its search. */
function serversOf(tools: readonly ToolSpecification[]): string {
  if (!tools.every(({ foreign }) => foreign)) return ''
  return ` of ${[...new Set(tools.map(({ name }) => name.split('__', 1)[0]))].join(', ')}`
}
