/**
 * Runs one edge function, unmodified, on Deno: `bootstrap.ts <mark> <address of index.ts>`. Its `Deno.serve` listens
 * on a free loopback port, which is told on stdout after the mark. (`DENO_SERVE_ADDRESS` would do, but not on 2.1.)
 */
// @ts-nocheck The stack's own type check has no Deno.
const [mark, entry] = Deno.args
const serve = Deno.serve
let serving = false

Object.defineProperty(Deno, 'serve', {
  value(...words) {
    serving = true
    const handler = words.find((word) => typeof word === 'function')
    const options = words.find((word) => typeof word === 'object')
    return serve({
      ...options,
      handler: handler ?? options?.handler,
      hostname: '127.0.0.1',
      port: 0,
      onListen: ({ port }) => console.log(`${mark}${port}`),
    })
  },
})

await import(entry)
if (!serving) {
  console.error('error: index.ts does not call Deno.serve.')
  Deno.exit(1)
}

// The stack holds the other end of stdin: it closes when the stack ends, however it ends.
for await (const _ of Deno.stdin.readable);
Deno.exit()
