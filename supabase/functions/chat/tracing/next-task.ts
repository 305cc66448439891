/**
 * Resolves in the next task, after what is already on its way. A timer would do, but lets the processor sleep for a
 * millisecond, after which the same work takes three times as long.
 */
export function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
