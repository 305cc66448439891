import { splitWords, stemWord } from '../calls/names/compare-names.ts'
import { clipText } from '../core/clip-text.ts'
import type { Tool, ToolSpecification } from '../core/tool-specification.ts'
import { toolTokens } from '../window/estimate-tokens.ts'
import { defineTool } from './define-tool.ts'

/** The tool by which a model finds the others, where it has too many to be told of at once. */
export const toolSearchName = 'search_tools'

/** Characters of definitions that a model is told at once, however large its window is. */
const mostCharacters = 51_200
/** The part of its window that definitions may take. */
const largestShare = 1 / 4
/** Tools that a request may define at OpenAI (128), less the search. */
export const mostTools = 127
/** Characters of a description in the list of what a search has found; ours are shorter. */
const longestListed = 600
/** Tools that one search finds. */
const mostFound = 8

/** Lengths by parameters, which stay the same object from turn to turn. */
const lengths = new WeakMap<object, number>()

/**
 * Whether there are more tools than a request may define, or their definitions take more than their share of the model's
 * window (tokens).
 */
export function needsToolSearch(tools: readonly ToolSpecification[], window: number): boolean {
  if (tools.some(({ name }) => name === toolSearchName)) return false
  const characters = tools.reduce((sum, tool) => sum + lengthOf(tool), 0)
  return (
    tools.length > mostTools || characters > mostCharacters || fitShare(tools, window).length < tools.length
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

/** The search over the tools of an agent. What it finds joins the definitions in the model's next request, and fits there. */
export function createToolSearch(tools: readonly ToolSpecification[], window: number): Tool {
  return defineTool({
    name: toolSearchName,
    title: 'Search tools',
    summary: 'Searched the tools for "{query}"',
    description: `Finds tools by what they do. There are ${tools.length} tools, of which you see only those that were found: search before you say that something cannot be done.`,
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

/** The tools that have most of the words, rare ones first: those of a name count more than those of a description. */
export function findTools(query: string, tools: readonly ToolSpecification[]): ToolSpecification[] {
  const asked = wordsOf(query)
  const known = tools.map((tool) => ({
    tool,
    name: wordsOf(`${tool.name} ${tool.title ?? ''}`),
    rest: wordsOf(`${ownWordsOf(tool)} ${Object.keys(tool.parameters.properties ?? {}).join(' ')}`),
  }))
  const weights = [...asked].map((word) => {
    const having = known.filter(({ name, rest }) => name.has(word) || rest.has(word)).length
    return { word, weight: Math.log(1 + tools.length / Math.max(having, 1)) }
  })
  return known
    .map(({ tool, name, rest }) => {
      const score = ({ word, weight }: (typeof weights)[number]) =>
        name.has(word) ? 3 * weight : rest.has(word) ? weight : 0
      return { tool, score: weights.reduce((sum, one) => sum + score(one), 0) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ tool }) => tool)
}

/** Without the mark that says whose words these are: it says nothing of the tool. */
function ownWordsOf({ description, foreign }: ToolSpecification): string {
  return foreign ? description.replace(/^\[[^\]]{0,200}\]/, '') : description
}

function wordsOf(text: string): Set<string> {
  const parts = text.split(/\s+/).flatMap((part) => splitWords(part))
  return new Set(parts.map(stemWord))
}
