import type { EventEmitter } from 'node:events'

/** One end of the channel between two processes. */
type Port = EventEmitter & { readonly connected: boolean; send?(message: object): unknown }

type Serve = (...args: never[]) => Promise<unknown>
type Message = { id: number; name: string; args: never[] } | { to: number; value?: unknown; fault?: string }

/** Lets both ends call functions of each other by their names. */
export function talk(port: Port, served: Readonly<Record<string, Serve>>) {
  let last = 0
  const waiting = new Map<number, (message: { value?: unknown; fault?: string }) => void>()

  port.on('message', async (message: Message) => {
    if ('to' in message) {
      waiting.get(message.to)?.(message)
      waiting.delete(message.to)
      return
    }
    const { id, name, args } = message
    const answer = await (served[name] as Serve)(...args).then(
      (value) => ({ value }),
      (error) => ({ fault: String(error?.stack ?? error) }),
    )
    if (port.connected) port.send?.({ to: id, ...answer })
  })
  port.on('exit', () => {
    for (const settle of waiting.values()) settle({ fault: 'Its process has ended.' })
  })

  return (name: string, ...args: unknown[]): Promise<unknown> => {
    const id = ++last
    if (!port.connected) return Promise.reject(new Error('Its process has ended.'))
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ value, fault }) => (fault === undefined ? resolve(value) : reject(new Error(fault))))
      port.send?.({ id, name, args })
    })
  }
}
