import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { AgentError } from '../../../shared/engine/core/agent-error.ts'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { bindTools } from '../../../shared/engine/tools/bind-tools.ts'
import { defineTool } from '../../../shared/engine/tools/define-tool.ts'
import { createToolLibrary } from '../../../shared/engine/tools/tool-library.ts'

const context = {
  signal: new AbortController().signal,
  idempotencyKey: 'k',
  attempt: 1,
  effectBegins() {},
  usedModel() {},
}

const search = defineTool({
  name: 'web_search',
  description: 'Searches the web',
  parameters: z.object({
    query: z.string().meta({ aliases: ['q', 'search'], question: 'What should I search for?' }),
    count: z.int().default(5),
  }),
  effect: 'read',
  trustedOutput: ['results[*].url', 'results[*].title'],
  execute: ({ query, count }) => `${query} ${count + 1}`,
})

describe('defineTool', () => {
  test('the schema is what a caller may send, with our own keywords', () => {
    expect(search.specification.parameters).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', aliases: ['q', 'search'], question: 'What should I search for?' },
        count: {
          type: 'integer',
          default: 5,
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        },
      },
      required: ['query'],
    })
  })

  test('a specification is JSON and round-trips', () => {
    expect(JSON.parse(JSON.stringify(search.specification))).toEqual(search.specification)
    expect(Object.keys(search.specification)).toEqual([
      'name',
      'description',
      'parameters',
      'effect',
      'trustedOutput',
    ])
  })

  test('an effect that is not stated is a write', () => {
    const tool = defineTool({ name: 'a', description: 'A', parameters: {}, execute: () => 1 })
    expect(tool.specification).toEqual({
      name: 'a',
      description: 'A',
      parameters: { type: 'object' },
      effect: 'write',
    })
  })

  test('execute receives parsed arguments, defaults filled in', async () => {
    expect(await search.execute({ query: 'deno' }, context)).toBe('deno 6')
  })

  test('execute of a JSON Schema tool receives the arguments as they are', async () => {
    const tool = defineTool({
      name: 'a',
      description: 'A',
      parameters: { type: 'object' },
      execute: (args) => args,
    })
    const args = { x: 1 }
    expect(await tool.execute(args, context)).toBe(args)
  })

  test('a refinement that JSON Schema cannot express is still checked', async () => {
    const tool = defineTool({
      name: 'a',
      description: 'A',
      parameters: z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') }),
      execute: () => 'ran',
    })
    const refused = await Promise.resolve(tool.execute({ n: 3 }, context)).catch(
      (cause: ToolCallError) => cause,
    )
    if (!(refused instanceof ToolCallError)) throw new Error('It was not refused.')
    expect(refused.cause).toBeUndefined()
    expect(refused.toolError).toMatchObject({
      errorType: 'invalid_value',
      resolver: 'model',
      details: { parameter: 'n', hint: 'must be even', correction: { open: ['n'] } },
    })
    expect(refused.message).toMatch(/^Question: /)
    expect(await tool.execute({ n: 4 }, context)).toBe('ran')
  })

  test.each([
    ['a blank name', { name: ' ', parameters: {} }, 'has no name'],
    ['a name that is no text', { name: 42 as unknown as string, parameters: {} }, 'has no name'],
    ['parameters that are not an object', { name: 'a', parameters: z.string() }, 'describe an object'],
    [
      'a type that JSON does not have',
      { name: 'a', parameters: z.object({ at: z.date() }) },
      'z.iso.datetime()',
    ],
    ['an unknown effect', { name: 'a', parameters: {}, effect: 'both' as 'read' }, '"read" or "write"'],
  ])('%s is refused with a sentence', (_, part, sentence) => {
    const define = () => defineTool({ description: 'A', execute: () => 1, ...part })
    expect(define).toThrow(AgentError)
    expect(define).toThrow(sentence)
  })
})

describe('createToolLibrary', () => {
  test('finds tools by name', () => {
    expect(createToolLibrary([search]).get('web_search')).toBe(search)
  })

  test('two tools of one name are refused', () => {
    expect(() => createToolLibrary([search, search])).toThrow('more than one tool named "web_search"')
  })
})

describe('bindTools', () => {
  const library = createToolLibrary([search])

  test('a stored specification binds, whatever the order of its keys', async () => {
    const { parameters, ...rest } = search.specification
    const { query, count } = parameters.properties ?? {}
    const stored = {
      parameters: { required: ['query'], properties: { count, query }, type: 'object' },
      ...rest,
    }
    const [tool] = bindTools([stored as typeof search.specification], library)
    expect(await tool?.execute({ query: 'deno' }, context)).toBe('deno 6')
    expect(tool?.specification).toBe(stored)
  })

  test('approval is the agent’s own and need not match', () => {
    const [tool] = bindTools([{ ...search.specification, approval: 'always' }], library)
    expect(tool?.specification.approval).toBe('always')
  })

  test('the order of trusted output paths does not matter', () => {
    const trustedOutput = ['results[*].title', 'results[*].url']
    expect(bindTools([{ ...search.specification, trustedOutput }], library)).toHaveLength(1)
  })

  test('every mismatch is listed', () => {
    const wrong = {
      ...search.specification,
      description: 'Searches',
      effect: 'write' as const,
      trustedOutput: [],
      repliesTo: 'query',
      parameters: { ...search.specification.parameters, required: [] },
    }
    const missing = { ...search.specification, name: 'gone' }
    const bind = () => bindTools([wrong, missing], library)
    expect(bind).toThrow(AgentError)
    for (const part of [
      '"web_search": its description differs',
      '"web_search": its schema differs at parameters.required',
      '"web_search": its effect is "write", in the library "read"',
      '"web_search": its trusted output differs',
      '"web_search": its repliesTo is "query", in the library ""',
      '"gone": it is not in the library',
    ]) {
      expect(bind).toThrow(part)
    }
  })

  test('two specifications of one name are refused', () => {
    expect(() => bindTools([search.specification, search.specification], library)).toThrow(
      'The agent has more than one',
    )
  })

  test('an agent without tools binds', () => {
    expect(bindTools([], library)).toEqual([])
  })

  test('verify is bound too', async () => {
    const send = defineTool({
      name: 'send',
      description: 'Sends',
      parameters: z.object({ to: z.string() }),
      execute: () => 1,
      verify: async ({ to }) => (to === 'a' ? 'sent' : 'unknown'),
    })
    const [tool] = bindTools([send.specification], createToolLibrary([send]))
    expect(await tool?.verify?.({ to: 'a' }, context)).toBe('sent')
  })
})
