import { callTool, type ModelServerReply, type ModelServerRequest, say } from '../../support/model-server.ts'
import { gmailAccounts } from './resident.ts'
import type { Flow, Manner, Provider, Scenario } from './scenario.ts'

/** A mark in every text of a conversation, and in no other. */
export const markOf = (number: number): string => `n${number}-chaos`
export const addressOf = (number: number): string => `${markOf(number)}@example.com`
export const findMark = (text: string): string | undefined => /n\d+-chaos/.exec(text)?.[0]

/** The tool that sends over a provider, and the account. */
const senders: Record<Provider, { tool: string; from: string }> = {
  smtp: { tool: 'smtp_send_email', from: 'sender@example.com' },
  gmail: { tool: 'gmail_send_email', from: gmailAccounts.gmail },
  'gmail at once': { tool: 'gmail_send_email', from: gmailAccounts['gmail at once'] },
}

/** The model of one conversation. */
export class ScriptedModel {
  /** Something in its conversation has died: from now on it follows its manner. */
  wasStruck = false
  #insisted = 0
  readonly #number: number
  readonly #provider: Provider
  readonly #flow: Flow
  readonly #manner: Manner

  constructor({ number, provider, flow, manner }: Scenario) {
    this.#number = number
    this.#provider = provider
    this.#flow = flow
    this.#manner = manner
  }

  answer({ body }: ModelServerRequest): ModelServerReply {
    const { messages } = body
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const results = messages.slice(asked).filter(({ role }) => role === 'tool')
    if (results.length === 0) return this.#call(JSON.stringify(messages[asked]))
    if (!this.wasStruck || this.#manner === 'obeys') return say(`The tool says: ${results.length} results.`)
    if (this.#manner === 'gives up') return say('I could not do this.')
    if (this.#insisted++ >= 2) return say('That is all I can do.')
    const again = this.#manner === 'rewords' ? `Hello once more, ${this.#insisted}.` : 'Hello.'
    return this.#write(again, addressOf(this.#number))
  }

  /** In a scenario with a form it leaves out the recipient until somebody names it. */
  #call(said: string): ModelServerReply {
    const address = addressOf(this.#number)
    return this.#write('Hello.', this.#flow === 'form' && !said.includes(address) ? undefined : address)
  }

  #write(body: string, to: string | undefined): ModelServerReply {
    const { tool, from } = senders[this.#provider]
    const mail = { from, subject: `Order ${markOf(this.#number)}`, body }
    return callTool(tool, to === undefined ? mail : { to: [to], ...mail })
  }
}
