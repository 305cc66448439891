import type { ChatMessage } from '../../../shared/engine/models/protocol/model-client.ts'
import { withFacts } from '../../../shared/engine/window/message-facts.ts'

/** One call of the model with its result: sizes in characters. */
export interface CallSize {
  args: number
  result: number
  isWrite: boolean
}

/** One turn: what the user says, calls by step, what the model answers. */
export interface TurnSize {
  said: number
  steps: CallSize[][]
  answer: number
}

const sentence = 'the meeting about the report begins at nine and everybody knows where it is '

export function words(length: number): string {
  return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length)
}

export const system: ChatMessage = { role: 'system', content: 'You are Mira. Help the user.' }

/** The messages of a conversation, and how many there were at each request for the model. */
export function converse(turns: readonly TurnSize[]): { messages: ChatMessage[]; requests: number[] } {
  const messages: ChatMessage[] = [system]
  const requests: number[] = []
  for (const [turn, { said, steps, answer }] of turns.entries()) {
    messages.push({ role: 'user', content: `Message ${turn}: ${words(said)}` })
    for (const [step, calls] of steps.entries()) {
      requests.push(messages.length)
      const ids = calls.map((_, index) => `call_${turn}_${step}_${index}`)
      messages.push({
        role: 'assistant',
        content: null,
        tool_calls: calls.map(({ args, isWrite }, index) => ({
          id: ids[index] as string,
          type: 'function',
          function: {
            name: isWrite ? 'send_email' : 'read_page',
            arguments: JSON.stringify({ text: words(args) }),
          },
        })),
      })
      for (const [index, { result, isWrite }] of calls.entries()) {
        const message: ChatMessage = {
          role: 'tool',
          tool_call_id: ids[index] as string,
          content: JSON.stringify({ id: ids[index], text: words(result) }),
        }
        messages.push(isWrite ? withFacts(message, { isWrite: true, line: `Sent ${ids[index]}` }) : message)
      }
    }
    requests.push(messages.length)
    messages.push({ role: 'assistant', content: `Answer ${turn}: ${words(answer)}` })
  }
  return { messages, requests }
}
