import { expect, test } from 'vitest'
import {
  canAsk,
  listModelChoices,
  preferChosen,
  readModelId,
} from '../../../shared/server/model-keys/model-choices.ts'

const own = (provider: string) => ({ provider, apiKey: 'own', connectionId: 'c' })
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
    { id: 'any/demo', provider: 'any', model: 'demo', isDefault: true, isDemo: true },
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

test('a choice takes the first place and leaves the rest to the agent', () => {
  const settings = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }
  const preference = {
    provider: 'anthropic',
    model: 'claude-x',
    temperature: 0.1,
    parameters: { thinking: true },
    fallbacks: ['claude-y'],
  }
  expect(preferChosen(settings, preference, 'openai/gpt-5', [])).toEqual({
    provider: 'openai',
    model: 'gpt-5',
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
