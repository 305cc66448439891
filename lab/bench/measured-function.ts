/**
 * Runs an edge function on Deno and measures it: `measured-function.ts <address of index.ts>`. Prints its port. `GET
 * /measured` answers `{ peak, now }` in bytes, heap and external together, as a hosted isolate is limited by them, and
 * starts a new peak.
 */
// @ts-nocheck The type check of the scripts has no Deno.
const [entry] = Deno.args
const everyMs = 2
const serve = Deno.serve
let peak = 0

function look() {
  const { heapUsed, external } = Deno.memoryUsage()
  peak = Math.max(peak, heapUsed + external)
  return heapUsed + external
}
setInterval(look, everyMs)

Object.defineProperty(Deno, 'serve', {
  value(...words) {
    const options = words.find((word) => typeof word === 'object')
    const handler = words.find((word) => typeof word === 'function')
    const answer = (request, info) => {
      const now = look()
      if (new URL(request.url).pathname !== '/measured') return handler(request, info)
      const measured = { peak, now }
      peak = now
      return Response.json(measured)
    }
    const onListen = ({ port }) => console.log(port)
    return serve({ ...options, hostname: '127.0.0.1', port: 0, onListen }, answer)
  },
})

await import(entry)
