/**
 * A function in a process of its own: `probe.mjs PROGRAM [URL]`. Loads the bundle of a program and serves; prints bytes of
 * heap and external memory once it does. With a URL it sends instead: once to open a connection, and once more.
 */
// @ts-nocheck The type check of the scripts has no Deno.
const [program, url] = Deno.args
const { send } = await import(program)
if (url === undefined) {
  const onListen = () => {
    const { heapUsed, external } = Deno.memoryUsage()
    console.log(heapUsed + external)
  }
  Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, () => new Response(typeof send))
} else {
  await send(url).catch(() => {})
  await send(url).catch(() => {})
  Deno.exit(0)
}
