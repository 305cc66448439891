/**
 * Runs one edge function, unmodified, on Deno: `bootstrap.ts <mark> <address of index.ts>`. Its `Deno.serve` listens on
 * a free loopback port, which is printed to stdout after the mark. (`DENO_SERVE_ADDRESS` would do, but not on 2.1.)
 *
 * The stack holds the other end of stdin. An empty line retires the process: it accepts nothing new and ends when
 * everything under way is done. Any other line is the id of a request whose client has disconnected: Deno 2.9 aborts
 * `request.signal` only if the whole request arrived in one piece, hosted functions always see the abort. When stdin
 * closes, the stack has ended, and this process ends at once.
 */
// @ts-nocheck The stack's own type check has no Deno.
const [mark, entry] = Deno.args
/** A retired process ends after this at the latest, which is also the limit on hosted Supabase. */
const longestRetirementMs = 400_000
const serve = Deno.serve
const servers = []
/** Requests under way, and background work that goes on after a response. */
const pending = new Set()

/** Abort controllers of the requests that have no response yet. */
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

/** Keeps track of work whose client has left or that nobody waits for. */
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
      // Both parameters are declared: Deno passes as many as the handler declares.
      handler: (request, info) => track(answer(handler, request, info)),
      hostname: '127.0.0.1',
      port: 0,
      onListen: ({ port }) => console.log(`${mark}${port}`),
    })
    servers.push(server)
    return server
  },
})

const { default: served } = await import(entry).catch(refuse)
if (servers.length === 0 && typeof served?.fetch === 'function')
  Deno.serve((request) => served.fetch(request))
if (servers.length === 0) {
  console.error('error: it neither calls Deno.serve nor exports default { fetch }.')
  Deno.exit(1)
}

/** Prints in its first line why the function cannot start, and where, with paths relative to the functions folder. */
function refuse(error) {
  const { name = 'Error', message, stack = '' } = error instanceof Error ? error : { message: String(error) }
  const said = `${message}\n${stack}`.replaceAll(new URL('..', entry).href, '')
  const [, unreachable] = /^JSR package manifest for '([^']+)' failed to load/.exec(said) ?? []
  const [first = name] = said.split('\n').filter(Boolean)
  const sentence = unreachable
    ? `it imports jsr:${unreachable}, which jsr.io does not serve to this machine; import a package of npm instead,`
    : first
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
