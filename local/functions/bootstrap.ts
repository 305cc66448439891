/**
 * Runs one edge function, unmodified, on Deno: `bootstrap.ts <mark> <address of index.ts>`. Its `Deno.serve` listens
 * on a free loopback port, which is told on stdout after the mark. (`DENO_SERVE_ADDRESS` would do, but not on 2.1.)
 *
 * The stack holds the other end of stdin. An empty line on it retires the process: it takes nothing new and ends when all
 * is done that it has begun. Any other line is the id of a request whose client has gone before it was answered: Deno 2.9
 * aborts `request.signal` then only where the whole request came in one piece, hosted functions hear of each. When stdin
 * closes, the stack has ended, and this ends at once.
 */
// @ts-nocheck The stack's own type check has no Deno.
const [mark, entry] = Deno.args
/** A retired process ends after this at the latest: hosted Supabase gives a function no more either. */
const longestRetirementMs = 400_000
const serve = Deno.serve
const servers = []
/** Requests that are being answered, and work that goes on behind an answer. */
const pending = new Set()

/** Of requests that are not answered yet: what aborts their signals. */
const clients = new Map()

/** A request whose signal the stack can abort. */
async function answer(handler, request, info) {
  const id = request.headers.get('x-local-request')
  const gone = new AbortController()
  Object.defineProperty(request, 'signal', { value: AbortSignal.any([request.signal, gone.signal]) })
  clients.set(id, gone)
  try {
    return await handler(request, info)
  } finally {
    clients.delete(id)
  }
}

/** Nothing else knows of a request whose client has left, or of work that nobody waits for. */
function track(work) {
  const over = Promise.resolve(work)
    .catch(() => {})
    .finally(() => pending.delete(over))
  pending.add(over)
  return work
}

globalThis.EdgeRuntime = { waitUntil: track }

Object.defineProperty(Deno, 'serve', {
  value(...words) {
    const options = words.find((word) => typeof word === 'object')
    const handler = words.find((word) => typeof word === 'function') ?? options?.handler
    const server = serve({
      ...options,
      // Both are named: Deno hands over as many as it sees.
      handler: (request, info) => track(answer(handler, request, info)),
      hostname: '127.0.0.1',
      port: 0,
      onListen: ({ port }) => console.log(`${mark}${port}`),
    })
    servers.push(server)
    return server
  },
})

await import(entry).catch(refuse)
if (servers.length === 0) {
  console.error('error: index.ts does not call Deno.serve.')
  Deno.exit(1)
}

/** Says on one line, the first, why the function cannot start, and where: paths from the folder of all functions. */
function refuse(error) {
  const { name = 'Error', message, stack = '' } = error instanceof Error ? error : { message: String(error) }
  const said = `${message}\n${stack}`.replaceAll(new URL('..', entry).href, '')
  const [sentence = name] = said.split('\n').filter(Boolean)
  const place = /(?<![^\s(])[^\s(]{0,1000}[^\s():]:\d{1,9}:\d{1,9}/.exec(said)?.[0] ?? ''
  console.error(`error: ${sentence.replace(/\.$/, '')}${sentence.includes(place) ? '' : ` at ${place}`}`)
  console.error(error)
  Deno.exit(1)
}

async function retire() {
  setTimeout(() => Deno.exit(), longestRetirementMs)
  await Promise.all(servers.map((server) => server.shutdown()))
  while (pending.size > 0) await Promise.all(pending)
  Deno.exit()
}

let line = ''
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (line + text).split('\n')
  line = lines.pop()
  for (const said of lines) {
    if (said === '') void retire()
    else clients.get(said)?.abort()
  }
}
Deno.exit()
