import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../shared/engine/core/json-schema.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { createModelClient } from '../../../shared/engine/models/create-model-client.ts'
import { createModelMemory } from '../../../shared/engine/models/model-memory.ts'
import type { ModelEvent } from '../../../shared/engine/models/protocol/model-client.ts'
import { testClock } from '../../../support/agent-scenario.ts'
import { ask } from './fixtures.ts'

interface WireTool {
  function: { name: string; description: string; parameters?: JsonSchema }
}
interface Body {
  messages: { role: string; content: string; tool_calls?: { function: { arguments: string } }[] }[]
  tools?: WireTool[]
}
/** The words and the status with which a server refuses a request; undefined if it takes it. */
type Refuses = (tools: WireTool[], body: Body) => unknown

function client(
  refuses: Refuses,
  { baseURL = 'https://models.example/v1', model = 'some-model', reply = {} } = {},
) {
  const bodies: Body[] = []
  const memory = createModelMemory()
  const events: ModelEvent[] = []
  const make = () =>
    createModelClient({
      baseURL,
      apiKey: 'key',
      model,
      memory,
      clock: testClock(),
      fetch: async (_url, init) => {
        const body: Body & { stream?: boolean } = JSON.parse(String(init?.body))
        bodies.push(body)
        const error = refuses(body.tools ?? [], body)
        if (error !== undefined) return Response.json(error, { status: 400 })
        const message = { role: 'assistant', content: 'Hi.', ...reply }
        return Response.json({ choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: 9 } })
      },
    })
  const complete = async (tools: ToolSpecification[], text = 'Hello', more = {}) => {
    const before = bodies.length
    const onEvent = (event: ModelEvent) => events.push(event)
    const result = await make().complete(ask(text, { tools, ...more }), { stream: true, onEvent })
    return { reply: result, requests: bodies.length - before, last: bodies.at(-1) as Body }
  }
  const found = () => events.flatMap((event) => (event.type === 'tool-refused' ? [event.tool] : []))
  return { complete, bodies, events, found, make }
}

function tool(
  name: string,
  properties: Record<string, JsonSchema> = { query: { type: 'string' } },
  description = 'Does it.',
): ToolSpecification {
  return { name, description, effect: 'read', parameters: { type: 'object', properties } }
}

function tools(count: number): ToolSpecification[] {
  return Array.from({ length: count }, (_, index) => tool(`tool_${index}`))
}

const said = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', ...more },
})
const keysOf = (one: WireTool): string[] => Object.keys(one.function.parameters?.properties ?? {})
const depthOf = (schema: unknown): number => {
  if (typeof schema !== 'object' || schema === null) return 0
  const { properties = {}, items, anyOf = [] } = schema as JsonSchema
  return 1 + Math.max(0, ...[...Object.values(properties), items, ...anyOf].map(depthOf))
}
const everyPlace = (schema: unknown, fits: (place: JsonSchema) => boolean): boolean => {
  if (typeof schema !== 'object' || schema === null) return true
  const { properties = {}, items, anyOf = [] } = schema as JsonSchema
  return (
    fits(schema as JsonSchema) &&
    [...Object.values(properties), items, ...anyOf].every((one) => everyPlace(one, fits))
  )
}
function firstThat(
  list: WireTool[],
  isWrong: (one: WireTool) => boolean,
  words: (index: number, name: string) => string,
) {
  const index = list.findIndex(isWrong)
  return index < 0 ? undefined : said(words(index, list[index]?.function.name ?? ''))
}

let deep: JsonSchema = { type: 'string' }
for (let level = 0; level < 14; level++) deep = { type: 'object', properties: { [`level_${level}`]: deep } }

const odd = [
  tool('search'),
  tool('order', { Größe: { type: 'number' }, 'Größe in cm': { type: 'number' }, $top: { type: 'integer' } }),
  tool('long', { query: { type: 'string' } }, 'It does a lot. '.repeat(200)),
  tool('deep', { deep }),
  tool('wide', {
    either: { type: 'string', anyOf: [{ const: 'a' }, { minLength: 9, pattern: '^\\d{3}\\w$' }] },
    any: {},
    list: { type: 'array' },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    none: { type: ['string', 'null'], format: 'uuid', maxLength: 100000 },
  }),
  tool('nothing', {}),
]

const servers: Record<string, Refuses> = {
  Anthropic: (list) =>
    firstThat(
      list,
      (one) => keysOf(one).some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)),
      (index) =>
        `tools.${index}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`,
    ),
  OpenAI: (list) =>
    firstThat(
      list,
      (one) => one.function.description.length > 1024,
      (index) =>
        `Invalid 'tools[${index}].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 3000 instead.`,
    ),
  Gemini: (list) =>
    firstThat(
      list,
      ({ function: { parameters } }) =>
        !everyPlace(parameters, (place) =>
          Object.keys(place).every((word) =>
            /^(?:type|description|properties|required|items|anyOf|enum|format|nullable|title|pattern|min|max)/.test(
              word,
            ),
          ),
        ) ||
        !everyPlace(parameters, ({ properties = {} }) =>
          Object.keys(properties).every((key) => /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(key)),
        ),
      (index) =>
        `* GenerateContentRequest.tools[0].function_declarations[${index}].parameters: Unknown name "additionalProperties": Cannot find field.`,
    ),
  Moonshot: (list) => {
    const depth = Math.max(0, ...list.map((one) => depthOf(one.function.parameters)))
    const head =
      'Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details:'
    if (depth > 10) return said(`${head} schema depth exceeds maximum limit of 10`)
    const isTyped = list.every(({ function: { parameters } }) =>
      everyPlace(parameters, ({ type, anyOf, $ref }) =>
        anyOf ? type === undefined : type !== undefined || $ref !== undefined,
      ),
    )
    return isTyped
      ? undefined
      : said(
          `${head} <At path 'properties.either': when using anyOf, type should be defined in anyOf items instead of the parent schema>`,
        )
  },
  'llama.cpp': (list) =>
    list.every(({ function: { parameters } }) =>
      everyPlace(
        parameters,
        (place) => place.type !== undefined && place.pattern === undefined && place.maxLength === undefined,
      ),
    )
      ? undefined
      : { error: { code: 400, message: 'Failed to initialize samplers: failed to parse grammar' } },
  Gemini2: (list) =>
    list.every(({ function: { parameters } }) =>
      everyPlace(parameters, ({ anyOf, format }) => !anyOf && !format),
    )
      ? undefined
      : [said('Request contains an invalid argument.')],
}

describe('definitions that a provider does not take are rewritten on the wire', () => {
  test.each([
    ['Anthropic', 'https://api.anthropic.com/v1', 'claude-sonnet-4-5'],
    ['Anthropic', 'https://gateway.example/v1', 'bedrock/anthropic.claude-opus-4'],
    ['OpenAI', 'https://api.openai.com/v1', 'gpt-4.1'],
    ['OpenAI', 'https://my.openai.azure.com/openai/v1', 'my-deployment'],
    ['Gemini', 'https://generativelanguage.googleapis.com/v1beta/openai', 'gemini-3-pro'],
    ['Gemini', 'https://openrouter.ai/api/v1', 'google/gemini-3-pro'],
    ['Moonshot', 'https://api.moonshot.ai/v1', 'kimi-k3'],
    ['Moonshot', 'https://gateway.example/v1', 'moonshotai/kimi-k2.6'],
  ])('before the first request where its rules are documented: %s at %s', async (who, baseURL, model) => {
    const { complete, bodies, found } = client(servers[who] as Refuses, { baseURL, model })
    const { reply, requests } = await complete(odd)
    expect(reply.text).toBe('Hi.')
    expect(requests).toBe(1)
    expect(bodies[0]?.tools).toHaveLength(odd.length)
    expect(found()).toEqual([])
  })

  test.each(Object.keys(servers))('after the first refusal at a host that is not known: %s', async (who) => {
    const { complete, bodies, found } = client(servers[who] as Refuses)
    const first = await complete(odd)
    expect(first.reply.text).toBe('Hi.')
    expect(first.requests).toBeLessThanOrEqual(3)
    expect(first.last.tools).toHaveLength(odd.length)
    expect(keysOf(bodies[0]?.tools?.[1] as WireTool)).toEqual(['Größe', 'Größe in cm', '$top'])
    expect((await complete(odd, 'And now?')).requests).toBe(1)
    expect(found()).toEqual([])
  })

  test.each<[string, number, string, number]>([
    [
      'OpenAI',
      128,
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 140 instead.",
      2,
    ],
    ['Groq', 128, "'tools' : maximum number of items is 128", 2],
    ['xAI', 100, 'Maximum tools limit reached. 140 tools have been provided but the maximum is 100.', 2],
    ['a gateway', 64, 'Too many tools: at most 64 are allowed.', 2],
  ])('and there are only as many as it takes: %s', async (_who, most, words, requests) => {
    const { complete } = client((list) => (list.length > most ? said(words) : undefined))
    const first = await complete(tools(140))
    expect(first.requests).toBe(requests)
    expect(first.last.tools).toHaveLength(most)
    // The last one may be the search for all others.
    expect(first.last.tools?.at(-1)?.function.name).toBe('tool_139')
    expect((await complete(tools(140), 'Next')).requests).toBe(1)
  })

  test.each([
    ['https://api.groq.com/openai/v1', 'llama', 128],
    ['https://api.x.ai/v1', 'grok-5', 200],
    ['https://api.deepseek.com', 'deepseek-v4-flash', 128],
  ])('as many as are documented go to %s', async (baseURL, model, most) => {
    const { complete } = client(() => undefined, { baseURL, model })
    expect((await complete(tools(230))).last.tools).toHaveLength(most)
  })

  test('a call comes back with the names of the tool: in the reply, in a stream, written as text', async () => {
    const written = '{"name":"order","arguments":{"Grosse":1.50,"top":3}}'
    const replies = [
      {
        content: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'order', arguments: '{"Grosse":1.50,"top":3}' } },
        ],
      },
      { content: `<tool_call>${written}</tool_call>` },
    ]
    for (const reply of replies) {
      const { complete, events } = client(() => undefined, {
        baseURL: 'https://api.anthropic.com/v1',
        model: 'claude-x',
        reply,
      })
      const { reply: answer } = await complete(odd)
      expect(answer.toolCalls).toMatchObject([{ name: 'order', rawArguments: '{"Größe":1.50,"$top":3}' }])
      const shown = events.flatMap((event) => (event.type === 'tool-input-delta' ? [event.delta] : []))
      expect(shown.join('')).not.toContain('Grosse')
      if (reply.tool_calls) expect(shown.join('')).toBe('{"Größe":1.50,"$top":3}')
    }
  })
})

describe('a definition that is refused in any form is left out', () => {
  const isBad = (one: WireTool) => /bad/.test(one.function.name)
  const mixed = (count: number, at: number[]) =>
    tools(count).map((one, index) => (at.includes(index) ? tool(`bad_${index}`) : one))

  test.each<[string, (index: number, name: string) => string]>([
    ['by place', (index) => `Invalid 'tools[${index}].function.parameters': not supported.`],
    ['by place, as Anthropic does', (index) => `tools.${index}.custom.input_schema: JSON schema is invalid.`],
    ['by place, as FastAPI does', (index) => `body -> tools -> ${index} -> function: Input should be valid`],
    [
      'by place, as AWS does',
      (index) =>
        `Value at 'toolConfig.tools.${index + 1}.member.toolSpec.inputSchema' failed to satisfy constraint`,
    ],
    ['by name', (_, name) => `Invalid schema for function '${name}': reference not found.`],
    ['by name without quotation marks', (_, name) => `invalid JSON schema for tool ${name}: unknown type`],
  ])('if it is named %s', async (_how, words) => {
    const { complete, found } = client((list) => firstThat(list, isBad, words))
    const first = await complete(mixed(30, [17]))
    expect(first.requests).toBe(2)
    expect(first.last.tools?.map((one) => one.function.name)).toEqual(
      mixed(30, [])
        .map(({ name }) => name)
        .filter((name) => name !== 'tool_17'),
    )
    expect(found()).toEqual(['bad_17'])
    const second = await complete(mixed(30, [17]), 'Next')
    expect(second.requests).toBe(1)
    expect(second.last.tools).toHaveLength(29)
    // A changed definition is another one.
    const changed = mixed(30, []).map((one, index) => (index === 17 ? tool('bad_17', {}, 'Fixed.') : one))
    expect((await complete(changed, 'Next')).requests).toBe(2)
  })

  test('several are named one after the other', async () => {
    const { complete, found } = client((list) =>
      firstThat(list, isBad, (index) => `tools.${index}.custom: invalid`),
    )
    const { requests, last } = await complete(mixed(10, [1, 4, 9]))
    expect(requests).toBe(4)
    expect(last.tools).toHaveLength(7)
    expect(found()).toEqual(['bad_1', 'bad_4', 'bad_9'])
  })

  test.each([2, 3, 7, 20, 32])('else it is found by halves among %d', async (count) => {
    for (const place of [0, Math.floor(count / 2), count - 1]) {
      const { complete, found } = client((list) =>
        list.some(isBad) ? said('The tool schema is not supported.') : undefined,
      )
      const list = mixed(count, [place])
      const first = await complete(list)
      expect(first.reply.text).toBe('Hi.')
      expect(first.requests).toBeLessThanOrEqual(7)
      expect(first.last.tools).toHaveLength(count - 1)
      expect(found()).toEqual([`bad_${place}`])
      const second = await complete(list, 'Next')
      expect(second.requests).toBe(1)
      expect(second.last.tools).toHaveLength(count - 1)
    }
  })

  test('of very many it is found over several messages, each of which is answered', async () => {
    const { complete, found } = client((list) =>
      list.some(isBad) ? said('failed to parse grammar') : undefined,
    )
    const list = mixed(126, [77])
    let messages = 0
    while (found().length === 0) {
      messages++
      const { reply, requests, last } = await complete(list, `Message ${messages}`)
      expect(reply.text).toBe('Hi.')
      expect(requests).toBeLessThanOrEqual(7)
      expect(last.tools?.length).toBeGreaterThan(60)
      // Another step of the same message does not search.
      expect((await complete(list, `Message ${messages}`)).requests).toBe(1)
      expect(messages).toBeLessThan(4)
    }
    expect(found()).toEqual(['bad_77'])
    expect((await complete(list, 'Last')).last.tools).toHaveLength(125)
  })

  test('two that are refused without a name are both found', async () => {
    const { complete, found } = client((list) => (list.some(isBad) ? said('invalid tool schema') : undefined))
    const list = mixed(6, [1, 4])
    for (const text of ['One', 'Two', 'Three']) {
      const { reply, requests } = await complete(list, text)
      expect(reply.text).toBe('Hi.')
      expect(requests).toBeLessThanOrEqual(7)
    }
    expect(found().sort()).toEqual(['bad_1', 'bad_4'])
    expect((await complete(list, 'Four')).last.tools).toHaveLength(4)
  })

  test('words that say nothing are not taken for a fault of tools if it fails without any, too', async () => {
    const { complete, bodies, found } = client(() => said('Request contains an invalid argument.'))
    await expect(complete(mixed(30, []))).rejects.toThrow()
    expect(bodies.length).toBeLessThanOrEqual(3)
    expect(found()).toEqual([])
  })

  test('a refusal of the conversation is not searched for', async () => {
    for (const words of [
      'This model’s maximum context length is 8192 tokens (1234 in the messages, 8246 in the functions).',
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after',
      'No tool output found for tool call call-a.',
      'The response was filtered due to the content management policy.',
      'some-model does not support tools',
    ]) {
      const { complete, bodies } = client(() => said(words))
      await expect(complete(mixed(30, []))).rejects.toThrow()
      expect(bodies).toHaveLength(1)
    }
  })

  test('a blame that turns out to be wrong is forgotten', async () => {
    let isBroken = true
    const { complete, found } = client(() =>
      isBroken ? said("Invalid schema for function 'tool_1': no.") : undefined,
    )
    await expect(complete(tools(4))).rejects.toThrow()
    isBroken = false
    expect((await complete(tools(4), 'Next')).last.tools).toHaveLength(4)
    expect(found()).toEqual([])
  })

  test('a server that changes what it takes is searched again', async () => {
    let isStrict = false
    const { complete, found } = client((list) =>
      isStrict && list.some(isBad) ? said('The tool schema is not supported.') : undefined,
    )
    const list = mixed(8, [3])
    // The first search has learned that all are taken.
    await complete(list)
    isStrict = true
    for (const text of ['Next', 'And next']) expect((await complete(list, text)).last.tools).toHaveLength(7)
    expect(found()).toEqual(['bad_3'])
  })

  test('the model is told what is missing, and the operator why, in our words', async () => {
    const secret = 'my diary of 12 May'
    const { complete, events } = client((list) =>
      firstThat(list, isBad, (index) => `tools.${index}: unknown keyword 'patternProperties' in "${secret}"`),
    )
    const bad = tool('bad_1', { map: { type: 'object', patternProperties: { '^x': { type: 'string' } } } })
    const { last } = await complete([tool('search'), bad], secret, {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: secret },
      ],
    })
    expect(last.messages[0]?.content).toBe(
      'Be brief.\n\nThese tools exist, but cannot be used with this model: bad_1. If one of them is needed, say so; do not call it.',
    )
    expect(events.filter(({ type }) => type === 'tool-refused')).toEqual([
      {
        type: 'tool-refused',
        provider: 'any',
        model: 'some-model',
        tool: 'bad_1',
        why: 'the server does not accept the parameters (patternProperties)',
      },
    ])
    expect(JSON.stringify(events)).not.toContain('diary')
  })
})
