import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSearchSimulator } from '../../local/simulator/search.ts'
import type { SearchFault } from '../../local/simulator/search-faults.ts'
import { askedInEnglish } from '../../shared/engine/core/asked.ts'
import { inWords } from '../../shared/words/in-words.ts'
import { searchProviders } from '../../supabase/functions/web-search-api/search/providers.ts'
import { createSearchFunction, type TestConnection } from '../../support/search-function.ts'
import { type SearchServer, startSearchServer } from '../../support/search-server.ts'

const ids = searchProviders.map(({ id }) => id)
const [first = '', ...others] = searchProviders.map(({ name }) => name)

const page = {
  title: 'T',
  url: 'https://a.example/',
  snippet: 's',
  source: 'a.example',
  date: '1 day ago',
}

/** A test with the providers, and the function of a user who has connected some of them. */
function testSearch(
  name: string,
  run: (
    server: SearchServer,
    connect: (...providers: TestConnection['provider'][]) => ReturnType<typeof createSearchFunction>,
  ) => Promise<void>,
): void {
  test(name, async () => {
    await using server = await startSearchServer()
    await run(server, (...providers) =>
      createSearchFunction({
        baseURL: server.baseURL,
        connections: providers.map((provider) => ({ provider, key: `key-of-${provider}` })),
      }),
    )
  })
}

testSearch(
  'every provider answers both searches in one shape, and says who it is',
  async (server, connect) => {
    for (const { id: provider, documented } of searchProviders) {
      for (const action of ['web_search', 'news_search']) {
        const kind = action === 'web_search' ? 'web' : 'news'
        const { result } = await connect(provider).call(action, { query: 'tea & cake', num_results: 3 })
        assert.equal(result.ok, true, JSON.stringify(result))
        assert.equal(result.data.provider, provider)
        assert.equal(result.data.results.length, 3)
        const [first] = result.data.results
        assert.match(first.url, /^https:\/\/handbook\.example\/(?:web|news)\/tea-cake-1$/)
        assert.equal(first.snippet, 'A simulated result about tea & cake & related topics.')
        assert.equal(typeof first.title, 'string')
        const isDated = JSON.stringify(documented.results(kind, 'tea', [page])).includes(page.date)
        assert.equal(typeof first.published, isDated ? 'string' : 'undefined')
        if (kind === 'news') assert.ok(isDated, provider)
        if (kind === 'news') assert.equal(first.source, 'handbook.example')
        assert.equal(server.requests.at(-1)?.provider, provider)
        assert.equal(server.requests.at(-1)?.kind, kind)
        assert.equal(server.requests.at(-1)?.key, `key-of-${provider}`)
      }
    }
  },
)

testSearch('country, language and time are said in the words of each provider', async (server, connect) => {
  const search = { query: 'tea', num_results: 5, country: 'GB', language: 'ja', time_range: 'week' }
  for (const { id, documented } of searchProviders) {
    for (const kind of ['web', 'news'] as const) {
      await connect(id).call(`${kind}_search`, search)
      assert.deepEqual(server.requests.at(-1)?.parameters, documented.sent[kind], `${id} ${kind}`)
    }
  }
  await connect('brave').call('web_search', { query: 'tea', country: 'XX' })
  assert.equal(server.requests.at(-1)?.parameters.country, undefined)
})

testSearch(
  'the order of the connections decides, and the next one helps out where the first cannot',
  async (server, connect) => {
    const { result: first } = await connect('brave', 'serper').call('web_search', { query: 'tea' })
    assert.equal(first.data.provider, 'brave')
    const passedOn: SearchFault[] = [
      'quota',
      'rate_limit',
      'bad_key',
      'forbidden',
      'broken',
      'away',
      'proxy',
      'cut',
      'empty',
      'foreign',
    ]
    for (const provider of ids) {
      for (const fault of passedOn) {
        const next = provider === 'serper' ? 'brave' : 'serper'
        server.fail(provider, fault)
        const { result } = await connect(provider, next).call('web_search', { query: 'tea' })
        assert.equal(result.ok, true, `${provider} ${fault}: ${JSON.stringify(result)}`)
        assert.equal(result.data.provider, next)
      }
    }
  },
)

testSearch(
  'what a provider says of its failure is told in one language, without its key',
  async (server, connect) => {
    const expected: [SearchFault, string, string, RegExp][] = [
      [
        'bad_key',
        'authentication_error',
        'user',
        /^Question: \w+ does not accept your API key\. Please check it/,
      ],
      ['quota', 'quota_exceeded', 'user', /^Question: The service behind "\w+" has reached the limit/],
      ['rate_limit', 'rate_limit_exceeded', 'time', /^The service behind "\w+" allows no more calls/],
      ['forbidden', 'permission_denied', 'user', /^Question: The service behind "\w+" does not allow this/],
      ['bad_parameter', 'invalid_value', 'model', /^Question: /],
      ['broken', 'unavailable', 'time', /^The service behind "\w+" is not available right now/],
      ['away', 'unavailable', 'time', /^The service behind "\w+" is not available right now/],
      ['proxy', 'unavailable', 'time', /^The service behind "\w+" is not available right now/],
      ['empty', 'unavailable', 'time', /^\w+ sent an answer that cannot be read/],
      ['cut', 'unavailable', 'time', /^\w+ sent an answer that cannot be read/],
    ]
    for (const provider of ids) {
      for (const [fault, type, resolver, sentence] of expected) {
        server.fail(provider, fault)
        const { status, result } = await connect(provider).call('web_search', { query: 'tea' })
        const told = `${provider} ${fault}: ${JSON.stringify(result)}`
        assert.equal(status, 200)
        assert.equal(result.ok, false, told)
        assert.equal(result.errorType, type, told)
        assert.equal(result.resolver, resolver, told)
        assert.match(result.error, sentence, told)
        // The corrected call is for the model, and names its tool.
        const { correction: _, ...details } = result.details
        const shown = JSON.stringify({ ...result, details })
        assert.ok(!/\b[45]\d\d\b|key-of-|web_search|127\.0\.0\.1/.test(shown), told)
      }
    }
  },
)

testSearch('nothing found is an empty list, and no failure', async (server, connect) => {
  for (const provider of ids) {
    server.fail(provider, 'no_results')
    const { result } = await connect(provider).call('web_search', { query: 'tea' })
    assert.deepEqual(result, { ok: true, data: { results: [], provider } })
  }
})

testSearch(
  'when all of them fail, what the clock can resolve is told before what the user has to mend',
  async (server, connect) => {
    server.fail('serper', 'bad_key')
    server.fail('brave', 'rate_limit')
    const { result } = await connect('serper', 'brave').call('web_search', { query: 'tea' })
    assert.equal(result.errorType, 'rate_limit_exceeded')
    server.fail('serper', 'bad_key')
    server.fail('brave', 'quota')
    const { result: users } = await connect('serper', 'brave').call('web_search', { query: 'tea' })
    assert.match(users.error, /^Question: Serper does not accept your API key/)
  },
)

testSearch(
  'a key that is refused is noted on its own connection, also where another one has helped out',
  async (server, connect) => {
    server.fail('serper', 'bad_key')
    const both = connect('serper', 'brave')
    assert.equal((await both.call('web_search', { query: 'tea' })).result.ok, true)
    assert.deepEqual(both.marked, [
      [
        '00000000-0000-4000-8000-000000000000',
        'Question: Serper does not accept your API key. Please check it, and enter it again in the integration settings.',
      ],
    ])
  },
)

testSearch(
  'without a connection, with a corrupted or an impossible key the user is told what to set up',
  async (server, _connect) => {
    const search = (connections: TestConnection[]) =>
      createSearchFunction({ baseURL: server.baseURL, connections }).call('web_search', { query: 'tea' })
    const before = server.requests.length
    const { result: none } = await search([])
    assert.equal(none.errorType, 'not_configured')
    assert.equal(
      none.error,
      `Question: The search service needs to be configured. No API key found for ${first}. Please add your ${first} API key in the integration settings before I can perform web searches. ${inWords(others, 'or')} will do as well.`,
    )
    assert.equal(
      none.details?.asked && askedInEnglish(none.details.asked).asked,
      `To search the web I need a key from ${inWords([first, ...others], 'or')}.`,
    )
    const { result: corrupted } = await search([{ provider: 'serper', key: undefined }])
    assert.equal(
      corrupted.error,
      'Question: Your Serper API key appears to be corrupted. Please delete and re-add your Serper API key in the integration settings.',
    )
    const { result: impossible } = await search([{ provider: 'brave', key: 'two words\nx-evil: 1' }])
    assert.equal(
      impossible.error,
      'Question: The search service needs to be configured. Please correct your Brave connection in the integration settings: the API key is empty, or contains a space or a character that no key has.',
    )
    assert.equal(server.requests.length, before)
    const { result: other } = await search([
      { provider: 'serper', key: undefined },
      { provider: 'brave', key: 'good' },
    ])
    assert.equal(other.data.provider, 'brave')
  },
)

testSearch('a key is tried before it is kept', async (server, _connect) => {
  for (const provider of ids) {
    const fn = createSearchFunction({ baseURL: server.baseURL })
    const { result: good } = await fn.test(provider, { api_key: 'good' })
    assert.deepEqual(good, { ok: true, data: {} })
    const { result: wrong } = await fn.test(provider, { api_key: 'a-wrong-key' })
    assert.equal(wrong.errorType, 'authentication_error')
    assert.match(wrong.error, /does not accept your API key/)
    assert.ok(!JSON.stringify(wrong).includes('a-wrong-key'))
    const { result: blank } = await fn.test(provider, { api_key: ' ' })
    assert.match(blank.error, /^Question: The search service needs to be configured\./)
  }
})

testSearch('bad input becomes a question, and nobody is asked', async (server, connect) => {
  const before = server.requests.length
  const bad: [object, RegExp, string][] = [
    [{}, /^Question: What should I search for\? Please provide the words to search for\./, 'query'],
    [{ query: '  ' }, /^Question: /, 'query'],
    [{ query: 'x'.repeat(401) }, /^Question: /, 'query'],
    [{ query: 'tea', num_results: 0 }, /^Question: /, 'num_results'],
    [{ query: 'tea', num_results: 5000 }, /^Question: /, 'num_results'],
    [{ query: 'tea', country: 'Germany' }, /^Question: /, 'country'],
    [{ query: 'tea', language: 'English' }, /^Question: /, 'language'],
    [{ query: 'tea', time_range: 'decade' }, /^Question: /, 'time_range'],
  ]
  for (const action of ['web_search', 'news_search']) {
    for (const [params, sentence, parameter] of bad) {
      const { status, result } = await connect('serper').call(action, params)
      assert.equal(status, 200)
      assert.equal(result.ok, false, JSON.stringify(params))
      assert.match(result.error, sentence)
      assert.equal(result.details.parameter, parameter, JSON.stringify(result))
    }
  }
  assert.equal(server.requests.length, before)
})

testSearch(
  'results that are no pages, and words made of HTML, come out as plain text or not at all',
  async (server, connect) => {
    server.use([
      {
        title: 'A <script>alert(1)</script>',
        url: 'https://a.example/',
        snippet: '&lt;b&gt; &#39;x&#39;',
        source: 's',
        date: 'd',
      },
      { title: 'B', url: 'javascript:alert(1)', snippet: '', source: '', date: '' },
      { title: '', url: 'https://c.example/', snippet: 'x'.repeat(5000), source: '', date: '' },
    ])
    const { result } = await connect('serper').call('news_search', { query: 'tea' })
    server.use(undefined)
    assert.deepEqual(
      result.data.results.map(({ title, url, snippet }: Record<string, string>) => [
        title,
        url,
        snippet?.slice(0, 10),
      ]),
      [
        ['A alert(1)', 'https://a.example/', "<b> 'x'"],
        ['https://c.example/', 'https://c.example/', 'xxxxxxxxxx'],
      ],
    )
  },
)

test('what the simulator finds can be read, from wherever it stands', async () => {
  const simulator = createSearchSimulator({ pages: 'http://127.0.0.1:1/simulator/pages' })
  const request = new Request('http://127.0.0.1:1/simulator/brave/res/v1/web/search?q=green+tea', {
    headers: { 'x-subscription-token': 'any' },
  })
  const found = await (await simulator.answer(request))?.json()
  const { url } = found.web.results[0]
  assert.equal(url, 'http://127.0.0.1:1/simulator/pages/web/green-tea-1')
  assert.match(
    (await (await simulator.answer(new Request(url)))?.text()) ?? '',
    /<title>green tea \(simulated\)<\/title>/,
  )
  assert.equal(await simulator.answer(new Request('http://127.0.0.1:1/simulator/pages/../../etc')), undefined)
})
