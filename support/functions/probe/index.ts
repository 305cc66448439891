/** An edge function for the tests of the function host: each path does one thing that a function can do. */
declare const Deno: {
  serve(handler: (request: Request) => Response | Promise<Response>): void
  exit(code: number): never
  env: { toObject(): Record<string, string> }
  readTextFile(path: string): Promise<string>
  version: { deno: string }
  pid: number
}

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void }

let aborted = 0
let silent = 0

Deno.serve(async (request) => {
  const url = new URL(request.url)
  switch (url.pathname) {
    case '/probe/echo':
      return Response.json({
        method: request.method,
        path: url.pathname + url.search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
        pid: Deno.pid,
        version: Deno.version.deno,
      })
    case '/probe/silent':
      await request.text()
      silent++
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
      aborted++
      return new Response('late')
    case '/probe/environment':
      return Response.json(Deno.env.toObject())
    case '/probe/read':
      return Deno.readTextFile(await request.text()).then(
        () => new Response('read'),
        (error) => new Response(error.name, { status: 403 }),
      )
    case '/probe/crash':
      console.error('about to crash')
      return Deno.exit(7)
    case '/probe/refuse':
      return new Response('too large', { status: 413 })
    case '/probe/length':
      return Response.json(await countBytes(request))
    case '/probe/conversation':
      // Answers each piece of the request as it comes: works only if neither side is buffered.
      return new Response(request.body, { headers: { 'content-type': 'text/event-stream' } })
    case '/probe/cut':
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('half'))
            setTimeout(() => controller.error(new Error('cut')), 50)
          },
        }),
      )
    case '/probe/endless':
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('first'))
          },
          cancel() {
            aborted++
          },
        }),
      )
    case '/probe/behind':
      // Goes on behind its answer until the address in the body has answered.
      EdgeRuntime.waitUntil(fetch(await request.text()).then((answer) => answer.text()))
      return new Response('answered')
    case '/probe/aborted':
      return Response.json({ aborted, silent })
    default:
      return new Response('not found', { status: 404 })
  }
})

async function countBytes(request: Request): Promise<{ bytes: number }> {
  let bytes = 0
  for await (const chunk of request.body ?? []) bytes += chunk.length
  return { bytes }
}

export {}
