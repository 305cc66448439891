/** A response in place of the service's own: text is sent as a page, anything else as JSON. */
export interface FaultyAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/**
 * What goes wrong with a request. `answer`: this is sent instead, and nothing is done, unless `done`. `connection`: it
 * breaks off after the request was carried out (`lost`), before its body has arrived, so that nothing is done (`cut`),
 * or at once, and the request is carried out by `arrive()` (`late`). Or it stays open, and the response comes after
 * `arrive()` (`held`) or never (`silent`).
 */
export type SimulatedFailure =
  | { answer: FaultyAnswer; done?: boolean }
  | { connection: 'lost' | 'cut' | 'late' | 'held' | 'silent' }

/** A request as its server sees it. */
interface FaultyRequest<Body> {
  /** Reads what is needed while the connection is open. */
  read(): Body | Promise<Body>
  perform(body: Body): Response | Promise<Response>
  /** Closes the connection. */
  cut(): void
}

/** Planned faults, each for calls of a name, like `drafts.send` or `POST /v1/documents/…`, or for any call (`*`). */
export class FailurePlan {
  private planned: { call: string | RegExp; times: number; fault: SimulatedFailure }[] = []
  private underWay: (() => Promise<unknown>)[] = []
  /** Names of all calls so far, in order. */
  readonly calls: string[] = []

  /** The next `times` calls of that name get this fault. */
  plan(call: string | RegExp, fault: SimulatedFailure, times = 1): void {
    this.planned.push({ call, times, fault })
  }

  /** Lets requests that are late or held arrive now; resolves when they are done. */
  async arrive(): Promise<void> {
    for (const perform of this.underWay.splice(0)) await perform()
  }

  clear(): void {
    this.planned = []
    this.underWay = []
    this.calls.length = 0
  }

  /** Serves a call, with the fault that is planned for it. */
  async answer<Body>(call: string, { read, perform, cut }: FaultyRequest<Body>): Promise<Response> {
    const fault = this.next(call)
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

  private next(call: string): SimulatedFailure | undefined {
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
