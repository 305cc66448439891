import { expect, test } from 'vitest'
import { createModelFromSettings } from '../../../shared/engine/models/model-settings.ts'
import { readModelWindows } from '../../../shared/engine/models/window-settings.ts'
import { readDependencies } from '../../../supabase/functions/chat/turn/dependencies.ts'

test('the windows of models are set by provider and model', () => {
  const windows = readModelWindows('{"ollama/llama3.2":8192,"openrouter/meta-llama/llama-3.1-8b":32768}')
  expect([...windows]).toEqual([
    ['ollama/llama3.2', 8192],
    ['openrouter/meta-llama/llama-3.1-8b', 32_768],
  ])
  expect(readModelWindows('  ').size).toBe(0)
  const settings = {
    OLLAMA_BASE_URL: 'http://127.0.0.1:1/v1',
    LLM_PROVIDER: 'ollama',
    OLLAMA_MODEL: 'llama3.2',
  }
  const set = { ...settings, ASKBACK_MODEL_WINDOWS: '{"ollama/llama3.2":8192}' }
  expect(createModelFromSettings(settings).window?.()).toBe(128_000)
  expect(createModelFromSettings(set).window?.()).toBe(8192)
})

test.each([
  ['8192', 'is not a JSON object'],
  ['{"ollama/llama3.2":8192', 'is not a JSON object'],
  ['{"llama3.2":8192}', 'names "llama3.2", which is not a provider and a model (providers: openai, '],
  ['{"olama/llama3.2":8192}', 'names "olama/llama3.2", which is not a provider and a model'],
  ['{"ollama/":8192}', 'names "ollama/", which is not'],
  ['{"ollama/llama3.2":"8k"}', 'gives "ollama/llama3.2" the window "8k", which is not a number of tokens'],
  [
    '{"ollama/llama3.2":100}',
    'gives "ollama/llama3.2" the window 100, which is not a number of tokens, at least 2048',
  ],
])('%s is refused when the functions start: it %s', (text, why) => {
  const sentence = `ASKBACK_MODEL_WINDOWS ${why}`
  expect(() => readModelWindows(text)).toThrow(sentence)
  const env = {
    SUPABASE_URL: 'http://127.0.0.1:1',
    SUPABASE_SERVICE_ROLE_KEY: 'service',
    ASKBACK_JWT_SECRET: 'secret-secret-secret-secret-secret',
    ASKBACK_FUNCTION_SECRET: 'secret',
    ASKBACK_MODEL_WINDOWS: text,
  }
  expect(() => readDependencies(env, () => {})).toThrow(sentence)
  expect(() => readDependencies({ ...env, ASKBACK_MODEL_WINDOWS: '' }, () => {})).not.toThrow()
})
