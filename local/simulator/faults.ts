/** An answer in place of the service's own: a text goes out as a page, anything else as JSON. */
export interface FaultyAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/**
 * What goes wrong with a request. `answer`: nothing is done and this is answered, or it is answered although it was
 * `done`. `connection`: it breaks off when the request was done (`lost`), before its body has come, and nothing is
 * done (`cut`), or at once, and the request is done when it arrives (`late`). Or it holds, and the request is answered
 * when it arrives (`held`) or never (`silent`).
 */
export type Fault =
  | { answer: FaultyAnswer; done?: boolean }
  | { connection: 'lost' | 'cut' | 'late' | 'held' | 'silent' }

/** A request as what serves it sees it. */
interface FaultyRequest<Body> {
  /** What has to be read before the connection is gone. */
  read(): Body | Promise<Body>
  perform(body: Body): Response | Promise<Response>
  /** Closes the connection. */
  cut(): void
}

/** Faults that wait for a call of a name, like `drafts.send` or `POST /v1/documents/…`, or for any (`*`). */
export class Faults {
  private planned: { call: string | RegExp; times: number; fault: Fault }[] = []
  private underWay: (() => Promise<unknown>)[] = []
  /** Names of all calls that came, in order. */
  readonly calls: string[] = []

  /** The next `times` calls of that name end so. */
  plan(call: string | RegExp, fault: Fault, times = 1): void {
    this.planned.push({ call, times, fault })
  }

  /** Requests that are late or held arrive now; resolves when they are done. */
  async arrive(): Promise<void> {
    for (const perform of this.underWay.splice(0)) await perform()
  }

  clear(): void {
    this.planned = []
    this.underWay = []
    this.calls.length = 0
  }

  /** Answers a call that comes now, with the fault that waits for it. */
  async answer<Body>(call: string, { read, perform, cut }: FaultyRequest<Body>): Promise<Response> {
    const fault = this.take(call)
    const hangUp = () => {
      cut()
      return new Response(null, { status: 502 })
    }
    if (!fault) return perform(await read())
    if ('connection' in fault && fault.connection === 'cut') return hangUp()
    const body = await read()
    if ('answer' in fault) {
      if (fault.done) await perform(body)
      return toResponse(fault.answer)
    }
    switch (fault.connection) {
      case 'silent':
        return new Promise<never>(() => {})
      case 'held':
        return new Promise((resolve) => {
          this.underWay.push(async () => resolve(await perform(body)))
        })
      case 'late':
        this.underWay.push(async () => perform(body))
        return hangUp()
      default:
        await perform(body)
        return hangUp()
    }
  }

  private take(call: string): Fault | undefined {
    this.calls.push(call)
    const isAwaited = (name: string | RegExp) =>
      typeof name === 'string' ? name === call || name === '*' : name.test(call)
    const next = this.planned.find((one) => one.times > 0 && isAwaited(one.call))
    if (next) next.times--
    return next?.fault
  }
}

function toResponse({ status, body, headers }: FaultyAnswer): Response {
  return typeof body === 'string'
    ? new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
    : Response.json(body, { status, headers })
}
