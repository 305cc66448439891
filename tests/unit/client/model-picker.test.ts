import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ModelChoice } from '../../../client/api/message.ts'
import { ModelPicker } from '../../../client/react/chat/model-picker.tsx'

const model = (facts: Partial<ModelChoice>): ModelChoice => ({
  id: 'openai/gpt-5',
  provider: 'openai',
  model: 'gpt-5',
  isDefault: false,
  isDemo: false,
  isOwnKey: false,
  ...facts,
})
const shown = (...models: ModelChoice[]) =>
  renderToStaticMarkup(createElement(ModelPicker, { models, chosen: null, onChoose: () => {} })).match(
    /(?<=>)[^<]+(?=<)/g,
  )

test('a model that is asked with the user’s own key says so', () => {
  const own = model({ isDefault: true, isOwnKey: true })
  expect(shown(own, model({ id: 'any/gpt-5', provider: 'any' }))).toEqual([
    'gpt-5 · your key · OpenAI',
    'gpt-5',
  ])
  expect(shown(own)).toEqual(['gpt-5 · your key'])
  expect(shown(model({ isDefault: true }))).toEqual(['gpt-5'])
})
