/**
 * A function in a process of its own: `probe.ts PROGRAM [URL TIMES]`. Loads the bundle of a program and serves; prints
 * bytes of heap and external memory once it does. With a URL it sends so many times instead, one after the other, and
 * prints `sent`, or `silent` if one of them neither succeeds nor fails within 20 s.
 */
// @ts-nocheck The type check of the scripts has no Deno.
const [program, url, times] = Deno.args
const { send } = await import(program)
if (url === undefined) {
  const onListen = () => {
    const { heapUsed, external } = Deno.memoryUsage()
    console.log(heapUsed + external)
  }
  Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, () => new Response(typeof send))
} else {
  // Whoever has started it looks at it and ends it; until then something has to be open.
  const patience = setTimeout(() => console.log('silent'), 20_000)
  setInterval(() => {}, 60_000)
  for (let sent = 0; sent < Number(times); sent++) await send(url).catch(() => {})
  clearTimeout(patience)
  console.log('sent')
}
