import { expect, it } from 'vitest'
import { hideSecret } from '../../../shared/engine/core/hide-secret.ts'

const secret = 'plain-words-for-a-model-key'

it.each([
  ['whole', `The key ${secret} is unknown.`, 'The key *** is unknown.'],
  ['shortened', 'The key plain-words-for-a-model-… is unknown.', 'The key ***… is unknown.'],
  ['its end alone', 'The key …ds-for-a-model-key is unknown.', 'The key …*** is unknown.'],
  ['twice', `${secret} ${secret}`, '*** ***'],
  ['short words of it', 'There are plain words for a model.', 'There are plain words for a model.'],
])('hides a secret: %s', (_, text, shown) => {
  expect(hideSecret(text, secret)).toBe(shown)
})

it('leaves texts alone where there is no secret', () => {
  expect(hideSecret('nothing', '')).toBe('nothing')
})
