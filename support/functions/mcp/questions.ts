import type { InputRequest } from '../../../supabase/functions/mcp/protocol/sdk.ts'
import type { Answer, Exchange } from '../../../supabase/functions/mcp/protocol/service.ts'

type Field = Record<string, unknown>

export const form = (message: string, properties: Record<string, Field>, required: string[] = []) =>
  ({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
  }) as InputRequest

export const sample = (prompt: string, maxTokens = 100) =>
  ({
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
  }) as InputRequest

export const roots = { method: 'roots/list', params: {} } as InputRequest

/** What a form came back with, if it was accepted. */
export function accepted(answers: Exchange['answers'], name: string): Field | undefined {
  const answer: Answer | undefined = answers?.[name]
  return answer?.kind === 'elicit' && answer.action === 'accept' ? (answer.content ?? {}) : undefined
}

/** How a form came back, in words. */
export function inWords(answers: Exchange['answers'], name: string): string | undefined {
  const answer: Answer | undefined = answers?.[name]
  if (answer?.kind !== 'elicit') return undefined
  return `action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`
}

/** What a model said. */
export function sampled(answers: Exchange['answers'], name: string): string | undefined {
  const answer: Answer | undefined = answers?.[name]
  if (answer?.kind !== 'sampling') return undefined
  const content = [answer.result.content].flat()[0]
  return content?.type === 'text' ? content.text : JSON.stringify(content)
}
