import { expect, test } from 'vitest'
import {
  canAsk,
  listModelChoices,
  mayAnswer,
  preferChosen,
  readModelId,
} from '../../../shared/server/model-keys/model-choices.ts'

const own = (provider: string) => ({ provider, name: provider, apiKey: 'own', connectionId: 'c' })
const ids = (...args: Parameters<typeof listModelChoices>) => listModelChoices(...args).map(({ id }) => id)
const demo = {
  LLM_PROVIDER: 'any',
  OPENAI_BASE_URL: 'http://127.0.0.1:1/demo-model/v1',
  OPENAI_API_KEY: 'demo',
  OPENAI_MODEL: 'demo',
  ASKBACK_DEMO_MODEL: 'true',
}

test('the demo model is the only choice where nobody has a key, and is named as one', () => {
  expect(listModelChoices(demo, null, [])).toEqual([
    { id: 'any/demo', provider: 'any', model: 'demo', isDefault: true, isDemo: true, isOwnKey: false },
  ])
})

test('what answers by itself comes first, then what takes its place, then one of each provider with a key', () => {
  const settings = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', ANTHROPIC_MODEL: 'claude-opus-4-5' }
  const preference = { model: 'gpt-5', fallbacks: [{ provider: 'openai', model: 'gpt-4.1' }] }
  expect(ids(settings, preference, [own('gemini')])).toEqual([
    'openai/gpt-5',
    'openai/gpt-4.1',
    'openai/gpt-4.1-mini',
    'anthropic/claude-opus-4-5',
    'gemini/gemini-2.5-flash',
  ])
})

test("the user's own key stands before the demo model, which stays a choice", () => {
  expect(ids(demo, null, [own('openai')])).toEqual(['openai/gpt-4.1-mini', 'any/demo'])
})

test('a fallback that nobody has a key for is no choice, and neither is anything without a model', () => {
  expect(ids({ OPENAI_API_KEY: 'a' }, { fallbacks: [{ provider: 'groq', model: 'x' }] }, [])).toEqual([
    'openai/gpt-4.1-mini',
  ])
  expect(ids({}, null, [])).toEqual([])
  expect(ids({ LLM_PROVIDER: 'none', OPENAI_API_KEY: 'a' }, null, [])).toEqual([])
})

test("a key of one's own server is not one of OpenAI", () => {
  expect(canAsk(demo, 'openai', [])).toBe(false)
  expect(canAsk(demo, 'any', [])).toBe(true)
  expect(canAsk(demo, 'openai', [own('openai')])).toBe(true)
  expect(canAsk({ OPENAI_API_KEY: 'a' }, 'any', [])).toBe(false)
  expect(canAsk({}, 'toString', [])).toBe(false)
})

test('an id is a provider, and what stands behind the first stroke is the model', () => {
  expect(readModelId('openrouter/openai/gpt-4.1')).toEqual({
    provider: 'openrouter',
    model: 'openai/gpt-4.1',
  })
  expect(readModelId('gemini')).toEqual({ provider: 'gemini', model: null })
  for (const id of ['', 'gpt-4.1', 'constructor/x', 'openai/two words', 'openai//\nx'])
    expect(readModelId(id)).toBe(undefined)
})

test('a model that is asked with the user’s own key says so', () => {
  const listed = listModelChoices({ OPENAI_API_KEY: 'a', GEMINI_API_KEY: 'b' }, null, [own('gemini')])
  expect(listed.map(({ id, isOwnKey }) => [id, isOwnKey])).toEqual([
    ['gemini/gemini-2.5-flash', true],
    ['openai/gpt-4.1-mini', false],
  ])
})

test('a server in the place of OpenAI is listed once, not a second time under no name', () => {
  const settings = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_API_KEY: 'a', OPENAI_MODEL: 'local' }
  expect(ids(settings, null, [own('openai')])).toEqual(['openai/local'])
  expect(ids(settings, null, [])).toEqual(['any/local'])
})

test("the server's key answers for what is listed, the user's own for any name of its provider", () => {
  const settings = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }
  const preference = { model: 'gpt-5', fallbacks: ['gpt-4.1'] }
  const may = (id: string, keys: Parameters<typeof mayAnswer>[2] = []) => {
    const choice = readModelId(id)
    return choice !== undefined && mayAnswer(settings, preference, keys, choice)
  }
  for (const id of ['openai/gpt-5', 'openai/gpt-4.1', 'openai', 'anthropic', 'anthropic/claude-sonnet-4-5'])
    expect([id, may(id)]).toEqual([id, true])
  for (const id of ['openai/o1-pro', 'anthropic/claude-opus-4-5', 'gemini', 'ollama/x', 'vllm/x'])
    expect([id, may(id)]).toEqual([id, false])
  expect(may('openai/o1-pro', [own('openai')])).toBe(true)
  expect(may('openai/o1-pro', [own('anthropic')])).toBe(false)
  expect(mayAnswer(demo, null, [], { provider: 'any', model: 'other' })).toBe(false)
})

test('a choice takes the first place and leaves the rest to the agent', () => {
  const settings = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }
  const preference = {
    provider: 'anthropic',
    model: 'claude-x',
    temperature: 0.1,
    parameters: { thinking: true },
    fallbacks: ['claude-y'],
  }
  expect(preferChosen(settings, preference, 'openai/gpt-4.1-mini', [])).toEqual({
    provider: 'openai',
    model: 'gpt-4.1-mini',
    temperature: 0.1,
    parameters: null,
    fallbacks: [{ provider: 'anthropic', model: 'claude-y' }],
  })
  expect(preferChosen(settings, null, 'openai', [])).toMatchObject({ provider: 'openai', model: null })
})

test('a choice whose key has gone is passed over', () => {
  const preference = { model: 'gpt-5' }
  expect(preferChosen({ OPENAI_API_KEY: 'a' }, preference, 'groq/x', [])).toBe(preference)
  expect(preferChosen({ OPENAI_API_KEY: 'a' }, preference, null, [])).toBe(preference)
})

test("what was chosen with the user's own key does not go on with the server's", () => {
  const settings = { OPENAI_API_KEY: 'a' }
  expect(preferChosen(settings, null, 'openai/o1-pro', [own('openai')])).toMatchObject({ model: 'o1-pro' })
  expect(preferChosen(settings, null, 'openai/o1-pro', [])).toBe(null)
})
