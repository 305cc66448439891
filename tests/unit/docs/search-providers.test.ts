import { expect, test } from 'vitest'
import { inWords } from '../../../shared/integrations/text/in-words.ts'
import { searchProviders } from '../../../supabase/functions/web-search-api/search/providers.ts'
import { readPage } from '../../support/docs-pages.ts'

test('the README names every search provider, in the order in which they are offered', () => {
  const names = inWords(
    searchProviders.map(({ name }) => name),
    'or',
  )
  expect(readPage('README.md')).toContain(`a key for ${names} |`)
  expect(readPage('README.md')).toContain(`against a real Google, ${names} account`)
})
