import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import type { ModelEvent, ModelRequest } from '../../../shared/engine/models/protocol/model-client.ts'

export const search: ToolSpecification = {
  name: 'search',
  description: 'Searches the web.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' }, limit: { type: 'integer' } },
    required: ['query'],
  },
  effect: 'read',
}

export const sendEmail: ToolSpecification = {
  name: 'smtp_send_email',
  description: 'Sends an e-mail.',
  parameters: { type: 'object', properties: { to: { type: 'string' }, body: { type: 'string' } } },
  effect: 'write',
}

export function ask(text = 'Hello', more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [{ role: 'user', content: text }],
    tools: [search, sendEmail],
    temperature: 0.5,
    ...more,
  }
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')
}
