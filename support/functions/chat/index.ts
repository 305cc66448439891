/** Stands in for the chat function where only the clock is tested: it tells what the clock has sent. */
declare const Deno: { serve(handler: (request: Request) => Response): void }

const calls: { method: string; signature: string | null }[] = []

Deno.serve((request) => {
  if (!request.url.endsWith('/chat/clock')) return Response.json(calls)
  calls.push({ method: request.method, signature: request.headers.get('x-askback-clock') })
  return Response.json({ resumed: 1 }, { status: 202 })
})

export {}
