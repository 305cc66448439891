import { readKeys } from '../../local/data-directory/keys.ts'
import { waitForEnd } from '../../local/process/running-process.ts'
import { clockHeader, signClock } from '../../shared/server/authentication/clock-signature.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import type { TestStack } from '../../support/stack.ts'

/** A second process of the chat function: it takes what comes while the stack's own stands still. */
export class SecondChat {
  /** Once it takes requests. */
  url: string | undefined
  readonly #dataDirectory: string
  readonly #ending = new AbortController()
  readonly #started: Promise<number | undefined>

  constructor(stack: TestStack, model: { url: string }, environment: Record<string, string>) {
    this.#dataDirectory = stack.dataDirectory
    this.#started = startChatProcess({ stack, model }, this.#ending.signal, stack.url, environment).then(
      ({ pid, url }) => {
        this.url = url.replace(/\/v1$/, '')
        return pid
      },
      () => undefined,
    )
  }

  /** The clock calls it. */
  async tick(): Promise<void> {
    const { functionSecret } = readKeys(this.#dataDirectory)
    const response = await fetch(`${this.url}/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [clockHeader]: await signClock(functionSecret) },
      body: '{}',
    })
    await response.body?.cancel()
  }

  async kill(): Promise<void> {
    this.url = undefined
    this.#ending.abort()
    const pid = await this.#started
    if (pid === undefined) return
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
    await waitForEnd(pid, 10_000)
  }
}
