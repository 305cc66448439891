import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ModelClient } from '../../shared/engine/models/protocol/model-client.ts'
import { createSearchFunction } from '../../support/search-function.ts'
import { type SitePage, startSite } from '../../support/search-server.ts'

const sentence = (about: string) =>
  `The ${about} is open every day from nine to five, and children pay half. `
const paragraph = (about: string) => `<p>${sentence(about).repeat(3)}</p>`
const article = (
  title: string,
  about: string,
) => `<!doctype html><html><head><title>${title}</title></head><body>
<nav><a href="/">Home</a> <a href="/cookies">Accept all cookies</a></nav>
<div class="banner"><p>We and our partners store cookies on your device.</p></div>
<article><h1>${title}</h1>${paragraph(about).repeat(4)}</article><footer>Imprint and privacy</footer></body></html>`

async function readAll(
  pages: Record<string, SitePage | string>,
  options: { paths?: string[]; model?: ModelClient; params?: object; allowLoopback?: boolean } = {},
) {
  await using site = await startSite(pages)
  const { model, params = {}, paths = Object.keys(pages).filter((path) => path !== '/robots.txt') } = options
  const fn = createSearchFunction({ ...(model ? { model } : {}) })
  const urls = paths.map((path) => site.url + path)
  const answer = await fn.call('scrape_and_summarize', { urls, ...params })
  assert.equal(answer.result.ok, true, JSON.stringify(answer.result))
  return { ...answer, pages: answer.result.data.pages, asked: site.asked }
}

test('an article is summarized without what surrounds it, and each address has its own outcome', async () => {
  const { pages, asked } = await readAll(
    {
      '/museum': article('The museum', 'museum'),
      '/login': { body: 'Sign in', status: 401 },
      '/secret': { body: 'No', status: 403 },
      '/down': { body: '<h1>503</h1>', status: 503 },
      '/busy': { body: '', status: 429 },
      '/photo': { body: 'x', type: 'image/png' },
      '/empty': '<html><body><script>render()</script></body></html>',
      '/text': { body: 'Just a line of text that says when the museum opens.', type: 'text/plain' },
    },
    {
      paths: [
        '/museum',
        '/missing',
        '/login',
        '/secret',
        '/down',
        '/busy',
        '/photo',
        '/empty',
        '/text',
        '/museum',
      ],
    },
  )
  const [museum, missing, login, secret, down, busy, photo, empty, text, again] = pages
  assert.equal(museum.title, 'The museum')
  assert.match(museum.summary, /^The museum is open every day/)
  assert.ok(!/cookies|Imprint|Home/.test(museum.summary))
  assert.match(missing.error, /^Question: There is no such page\./)
  assert.equal(login.error, 'The site shows this page only to people who have signed in.')
  assert.equal(secret.error, 'The site does not let programs read this page.')
  assert.equal(down.error, 'The site cannot be reached right now.')
  assert.equal(busy.error, 'The site does not allow more requests right now. Try again later.')
  assert.match(photo.error, /a file that is not text/)
  assert.match(empty.error, /may need a browser/)
  assert.match(text.summary, /when the museum opens/)
  assert.deepEqual(again, museum)
  assert.equal(asked.filter((path) => path === '/museum').length, 1)
  assert.equal(asked.filter((path) => path === '/robots.txt').length, 1)
})

test('pages are read in the encoding they say, or look like', async () => {
  const meta = (label: string) => `<meta charset="${label}"><title>`
  const bytes = (...codes: number[]) => Uint8Array.from(codes)
  const join = (...parts: (string | Uint8Array)[]) =>
    Uint8Array.from(
      parts.flatMap((part) => [...(typeof part === 'string' ? new TextEncoder().encode(part) : part)]),
    )
  const end = `</title><body>${paragraph('museum')}`
  const privet = bytes(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2)
  const nihon = bytes(0x93, 0xfa, 0x96, 0x7b)
  const zhongwen = bytes(0xd6, 0xd0, 0xce, 0xc4)
  const hidden = join('<title>', bytes(0x47, 0x72, 0xfc, 0xdf, 0x65), end)
  const utf16 = new Uint8Array([
    0xff,
    0xfe,
    ...[...`<title>Ω${end}`].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
  ])
  const { pages } = await readAll({
    '/ru': { body: join(meta('windows-1251'), privet, end), type: 'text/html' },
    '/ja': { body: join('<title>', nihon, end), type: 'text/html; charset=Shift_JIS' },
    '/zh': { body: join(meta('gb2312'), zhongwen, end), type: 'text/html' },
    '/none': { body: hidden, type: 'text/html' },
    '/utf8': { body: `<title>Grüße${end}`, type: 'text/html' },
    '/utf16': { body: utf16, type: 'text/html; charset=iso-8859-1' },
    '/odd': { body: `<title>Ok${end}`, type: 'text/html; charset=no-such-thing' },
  })
  assert.deepEqual(
    pages.map(({ title }: { title: string }) => title),
    ['Привет', '日本', '中文', 'Grüße', 'Grüße', 'Ω', 'Ok'],
  )
})

test('a redirect leads to the same site, and elsewhere only to places that are free', async () => {
  await using other = await startSite({ '/museum': article('The museum', 'museum') })
  await using site = await startSite({
    '/here': { body: '', status: 302, headers: { location: '/museum' } },
    '/there': { body: '', status: 302, headers: { location: `${other.url}/museum` } },
    '/museum': article('The museum', 'museum'),
  })
  const fn = createSearchFunction({})
  const read = async (path: string, free?: { sites?: string[]; addresses?: string[] }) => {
    const params = { urls: [site.url + path] }
    const { result } = await fn.call('scrape_and_summarize', params, { sites: [], addresses: [], ...free })
    return result.data.pages[0]
  }
  assert.match((await read('/here')).summary, /^The museum is open/)
  const target = `${other.url}/museum`
  for (const free of [undefined, { addresses: [`${other.url}/`] }, { sites: ['127.0.0.1'] }]) {
    assert.equal(
      (await read('/there', free)).error,
      `Question: This page redirects to another site, which was not read. Should "${target}" be read?`,
    )
  }
  assert.deepEqual(other.asked, [])
  const direct = await fn.call('scrape_and_summarize', { urls: [`${site.url}/there`] })
  assert.match(direct.result.data.pages[0].error, /^Question: This page redirects/)
  assert.match((await read('/there', { addresses: [target] })).summary, /^The museum is open/)
  assert.match((await read('/there', { sites: [new URL(other.url).host] })).summary, /^The museum is open/)
})

test('a page that only leads on is followed as browsers do it, like any other redirect', async () => {
  const leadsTo = (url: string) =>
    `<title>Moved</title><meta http-equiv="refresh" content="0; url='${url}'"><p>Wait</p>`
  await using other = await startSite({ '/museum': article('The museum', 'museum') })
  const { pages, asked } = await readAll(
    {
      '/old': leadsTo('new?a=1'),
      '/new': leadsTo('/museum'),
      '/museum': article('The museum', 'museum'),
      '/away': leadsTo(`${other.url}/museum`),
      '/loop': leadsTo('/loop2'),
      '/loop2': leadsTo('/loop'),
      '/inside': leadsTo('http://169.254.169.254/latest'),
      '/script': leadsTo('javascript:alert(1)'),
      '/news': article('News', 'zoo').replace(
        '<nav>',
        '<meta http-equiv="refresh" content="300; url=/museum"><nav>',
      ),
    },
    { paths: ['/old', '/away', '/loop', '/inside', '/script', '/news'] },
  )
  const [old, away, loop, inside, script, news] = pages
  assert.match(old.summary, /^The museum is open every day/)
  assert.equal(
    away.error,
    `Question: This page redirects to another site, which was not read. Should "${other.url}/museum" be read?`,
  )
  assert.match(loop.summary, /moved to \/loop/)
  for (const { error } of [inside, script])
    assert.match(error, /^Question: This page redirects to another site/)
  assert.match(news.summary, /^The zoo is open/)
  assert.deepEqual(other.asked, [])
  assert.ok(asked.filter((path) => path.startsWith('/loop')).length <= 4)
})

test('what a visitor sees reaches the model that summarizes, and where little of it is there, that is told', async () => {
  const price = 'The Team plan costs 49 EUR.'
  const model = scriptedModel((request) => (request.includes('49 EUR') ? price : 'Nothing about prices.'))
  const { pages } = await readAll(
    {
      '/plans': `<main><div class="plan"><h3>Team</h3><span>49 EUR</span></div>${article('Story', 'museum')}</main>`,
      '/app': '<h1>Acme</h1><p>Loading the plans.</p><div id="root"></div><script src="/app.js"></script>',
    },
    { model },
  )
  const [plans, app] = pages
  assert.equal(plans.summary, price)
  assert.equal(plans.note, undefined)
  assert.equal(app.note, 'Hardly any text was found in this page: it may need a browser to show the rest.')
})

test('what a site asks of programs is respected, also where a redirect leads', async () => {
  const { pages, asked } = await readAll(
    {
      '/robots.txt': {
        body: 'User-agent: *\nDisallow: /private\n\nUser-agent: askback\nDisallow: /nobots',
        type: 'text/plain',
      },
      '/open': article('Open', 'museum'),
      '/nobots/a': article('No', 'museum'),
      '/to': { body: '', status: 302, headers: { location: '/nobots/b' } },
      '/nobots/b': article('No', 'museum'),
    },
    { paths: ['/open', '/nobots/a', '/to'] },
  )
  assert.equal(pages[0].title, 'Open')
  assert.match(pages[1].error, /asks programs not to read it/)
  assert.match(pages[2].error, /asks programs not to read it/)
  assert.ok(!asked.some((path) => path.startsWith('/nobots')))
  const broken = await readAll({ '/robots.txt': { body: '', status: 500 }, '/a': article('A', 'museum') })
  assert.match(broken.pages[0].error, /asks programs not to read it/)
  const none = await readAll({
    '/robots.txt': { body: '<html>Not found', type: 'text/html' },
    '/a': article('A', 'museum'),
  })
  assert.equal(none.pages[0].title, 'A')
})

test('addresses that lead inside are refused one by one, and nobody is connected to', async () => {
  await using inside = await startSite({ '/': article('Inside', 'secret') })
  const fn = createSearchFunction({ allowLoopback: false })
  const urls = [
    inside.url,
    'http://2130706433/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
    'http://metadata.google.internal/',
    'file:///etc/passwd',
    'http://user:pass@example.com/',
    'https://example.com:8443/',
  ]
  const { result } = await fn.call('scrape_and_summarize', { urls })
  assert.equal(result.ok, true)
  for (const [index, page] of result.data.pages.entries()) {
    assert.equal(page.url, urls[index])
    assert.match(page.error, /^Question: /, page.url)
    assert.equal(page.summary, undefined)
  }
  assert.deepEqual(inside.asked, [])
})

test('bombs and endless pages cost an error each, and the pages beside them are read', async () => {
  const deep = `<body>${'<b>'.repeat(300_000)}${sentence('cave')}`
  const { pages } = await readAll({
    '/zip': { body: gzipSync(new Uint8Array(50_000_000)), headers: { 'content-encoding': 'gzip' } },
    '/deep': deep,
    '/angles': '<'.repeat(2_000_000),
    '/attributes': `<body><p ${'a=1 '.repeat(300_000)}>${sentence('hall')}</p>`,
    '/comments': `<body>${'<!--'.repeat(400_000)}`,
    '/good': article('Good', 'museum'),
  })
  assert.match(pages[0].error, /more than 2 MB/)
  assert.equal(pages.length, 6)
  for (const page of pages) assert.ok((page.summary ?? page.error).length > 0)
  assert.ok(pages.at(-1).title === 'Good' || /used all the time/.test(pages.at(-1).error))
})

test('parsing stops when its time is over: the pages that are left get an error each', async () => {
  const heavy = `<html><body><article>${paragraph('museum').repeat(4_000)}</article></body></html>`
  const paths = Array.from({ length: 10 }, (_, index) => `/${index}`)
  const { OutOfTime, ParseTime } = await import(
    '../../supabase/functions/web-search-api/reading/parse-time.ts'
  )
  const { readArticle } = await import('../../supabase/functions/web-search-api/reading/read-article.ts')
  let time = new ParseTime()
  const parseAll = () => {
    for (let page = 0; page < 1_000; page++)
      assert.match(readArticle(heavy, time).text, /^The museum is open/)
  }
  // A busy machine makes any of them later: the earliest is how much too late it is by itself.
  const lateMs = [1, 2, 3].map(() => {
    time = new ParseTime()
    assert.throws(parseAll, OutOfTime)
    return -time.leftMs
  })
  assert.ok(Math.min(...lateMs) < 1_000, String(lateMs))
  // With no time at all the same page is not touched.
  assert.throws(() => readArticle(heavy, time), OutOfTime)
  const { pages } = await readAll(Object.fromEntries(paths.map((path) => [path, heavy])))
  for (const page of pages)
    assert.ok(page.summary !== undefined || /used all the time/.test(page.error), page.error)
})

/** A model that says what a script makes of its request. */
function scriptedModel(answer: (request: string) => string): ModelClient & { requests: string[] } {
  const requests: string[] = []
  return {
    model: 'scripted',
    models: ['scripted'],
    requests,
    async complete({ messages }) {
      const text = JSON.stringify(messages)
      requests.push(text)
      return {
        text: answer(text),
        toolCalls: [],
        finishReason: 'stop',
        hasChoice: true,
        usage: { inputTokens: 100, outputTokens: 10 },
        cost: 0.001,
        provider: 'test',
        model: 'scripted',
      }
    },
  }
}

test('the model of the agent summarizes each page by itself, and what it used is told beside the result', async () => {
  const model = scriptedModel((request) => (request.includes('zoo') ? 'About a zoo.' : 'About a museum.'))
  const { pages, used, result } = await readAll(
    { '/zoo': article('Zoo', 'zoo'), '/museum': article('Museum', 'museum') },
    { model, params: { focus_keywords: ['prices'], summary_length: 'short' } },
  )
  assert.deepEqual(
    pages.map(({ summary }: { summary: string }) => summary),
    ['About a zoo.', 'About a museum.'],
  )
  assert.equal(model.requests.length, 2)
  assert.ok(model.requests.every((request) => request.includes('prices') && request.includes('60 words')))
  assert.equal(used.length, 2)
  assert.deepEqual(
    { ...used[0], durationMs: 0 },
    {
      purpose: 'summary',
      provider: 'test',
      model: 'scripted',
      usage: { inputTokens: 100, outputTokens: 10 },
      cost: 0.001,
      durationMs: 0,
    },
  )
  assert.deepEqual(Object.keys(result.data), ['pages'])
})

test('a page that a model cannot summarize is summarized without it', async () => {
  const failing = scriptedModel(() => {
    throw new Error('no quota')
  })
  const silent = scriptedModel(() => '  ')
  for (const model of [failing, silent]) {
    const { pages } = await readAll({ '/a': article('A', 'museum') }, { model })
    assert.match(pages[0].summary, /^The museum is open/)
  }
})

test('without a model the sentences about the keywords come first, as long as was asked for', async () => {
  const body = `<title>T</title><article>${paragraph('garden').repeat(20)}<p>Tickets cost twelve euros at the counter, and ten on the web.</p>${paragraph('shop').repeat(20)}</article>`
  const short = await readAll(
    { '/a': body },
    { params: { focus_keywords: ['tickets'], summary_length: 'short' } },
  )
  assert.match(short.pages[0].summary, /Tickets cost twelve euros/)
  const long = await readAll({ '/a': body }, { params: { summary_length: 'long' } })
  assert.ok(long.pages[0].summary.length > 2 * short.pages[0].summary.length)
})

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `Room ${index} of the museum has 🚢 number ${index} in it.`)

/** Where a part of so many characters ends: after the last word that it has whole. */
function endOf(text: string, from: number, length: number): number {
  const rest = [...text].slice(from)
  return rest.length <= length
    ? from + rest.length
    : from + rest.slice(0, length).findLastIndex((one) => /\s/.test(one)) + 1
}

test('a long page is read on by its notes, with a model and without, and each page has its own', async () => {
  const text = lines(1_500).join('\n')
  const total = [...text].length
  const pages = {
    '/long': { body: text, type: 'text/plain' },
    '/short': { body: 'A line of text that is read at once.', type: 'text/plain' },
  }
  for (const [model, atOnce] of [
    [scriptedModel(() => 'A summary.'), 16_000],
    [scriptedModel(() => ''), 60_000],
    [undefined, 60_000],
  ] as const) {
    const options = model ? { model } : {}
    const [long, short] = (await readAll(pages, options)).pages
    const to = endOf(text, 0, atOnce)
    assert.ok(to > atOnce - 100)
    assert.equal(long.note, `${to} of ${total} characters read; call again with from: ${to} for more.`)
    assert.equal(short.note, undefined)
    assert.ok(short.summary)
    const [next, over] = (await readAll(pages, { ...options, params: { from: to } })).pages
    const end = endOf(text, to, atOnce)
    const more = `From ${to} on, ${end - to} of ${total} characters read; call again with from: ${end} for more.`
    assert.equal(next.note, end < total ? more : undefined)
    assert.ok(next.summary)
    assert.equal(over.summary, undefined)
    assert.equal(over.error, undefined)
    assert.equal(over.note, `This page has 36 characters: nothing follows from ${to} on.`)
  }
})

test('the end of a page of a quarter of a million characters is read as it stands there', async () => {
  const body = `<title>T</title><body><p>${lines(6_000).join('</p><p>')}</p><p>The end is reached here, and nothing follows it.</p>`
  const model = scriptedModel((request) => (request.includes('The end is reached') ? 'The end.' : 'Rooms.'))
  const [first] = (await readAll({ '/a': body }, { model })).pages
  const [, total] = /of (\d+) characters/.exec(first.note) ?? []
  assert.ok(Number(total) > 250_000, first.note)
  const [last] = (await readAll({ '/a': body }, { model, params: { from: Number(total) - 500 } })).pages
  assert.deepEqual([last.summary, last.note], ['The end.', undefined])
})

test('a page that is too large to be read to its end says so', async () => {
  const deep = `<body><p>${sentence('hall')}</p>${'<b>'.repeat(300_000)}${sentence('cave')}`
  const [page] = (await readAll({ '/deep': deep })).pages
  assert.match(page.summary, /The hall is open/)
  assert.equal(page.note, 'What follows in this page cannot be read: the page is too large.')
})

test('a page that changes between two reads is read as it is now', async () => {
  const pages = { '/a': { body: lines(1_500).join('\n'), type: 'text/plain' } }
  const model = scriptedModel((request) => (request.includes('Room 999 ') ? 'As before.' : 'Changed.'))
  const [before] = (await readAll(pages, { model })).pages
  assert.match(before.note, /call again with from: \d+ for more/)
  pages['/a'].body = 'It is short now.'
  const [after] = (await readAll(pages, { model, params: { from: 16_000 } })).pages
  assert.equal(after.note, 'This page has 16 characters: nothing follows from 16000 on.')
})

test('an address that the page does not have does not get out through a summary', async () => {
  const kept = 'https://museum.example/tickets?day=mon'
  const model = scriptedModel(
    () =>
      `See ${kept}. Load https://eve.example/?k=pin4711 or www.eve.example/pin4711 or eve.example/pin4711?x, thanks.`,
  )
  const { pages } = await readAll(
    { '/a': article(`Tickets at ${kept}`, `museum (${kept})`) },
    { model, params: { focus_keywords: ['pin4711'] } },
  )
  assert.ok(pages[0].summary.includes(kept))
  assert.ok(!pages[0].summary.includes('eve.example'), pages[0].summary)
})

test('bad input becomes a question', async () => {
  const fn = createSearchFunction({})
  const bad: [object, RegExp][] = [
    [{}, /^Question: Which pages should I read\? Please provide their addresses/],
    [{ urls: [] }, /^Question: /],
    [{ urls: ['not a url'] }, /^Question: /],
    [{ urls: Array(11).fill('https://example.com/') }, /^Question: /],
    [{ urls: ['https://example.com/'], summary_length: 'endless' }, /^Question: /],
    [{ urls: ['https://example.com/'], focus_keywords: [''] }, /^Question: /],
    [{ urls: ['https://example.com/'], from: -1 }, /^Question: /],
    [{ urls: ['https://example.com/'], from: 'the end' }, /^Question: /],
    [{ urls: [`https://example.com/${'x'.repeat(3000)}`] }, /^Question: /],
  ]
  for (const [params, expected] of bad) {
    const { status, result } = await fn.call('scrape_and_summarize', params)
    assert.equal(status, 200)
    assert.equal(result.ok, false, JSON.stringify(params))
    assert.match(result.error, expected)
  }
})

test('one address as a text is a list of one', async () => {
  await using site = await startSite({ '/a': article('A', 'museum') })
  const { result } = await createSearchFunction({}).call('scrape_and_summarize', { url: `${site.url}/a` })
  assert.equal(result.data.pages[0].title, 'A')
})

test('rules that take long to match take their time from the pages, and stop nobody else', async () => {
  const endless = `User-agent: *\n${`Disallow: /${'*a'.repeat(100)}b\n`.repeat(9_000)}`
  const path = `/${'a'.repeat(1_900)}`
  const { pages } = await readAll(
    { '/robots.txt': { body: endless, type: 'text/plain' }, [path]: article('Long', 'museum') },
    {
      paths: Array(10)
        .fill(path)
        .map((one, index) => `${one.slice(index + 2)}?${index}`)
        .map((one) => `/${one}`),
    },
  )
  assert.equal(pages.length, 10)
  for (const page of pages) assert.match(page.error, /There is no such page|used all the time/)
})
