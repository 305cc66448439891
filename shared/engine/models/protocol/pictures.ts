import type { ChatCompletionContentPart } from 'openai/resources/chat/completions'
import type { ChatMessage } from './model-client.ts'

export function hasPictures(messages: readonly ChatMessage[]): boolean {
  return messages.some(
    ({ role, content }) => role === 'user' && Array.isArray(content) && content.some(isPicture),
  )
}

/** The messages for a model that does not accept pictures: each is already described beside it. */
export function withoutPictures(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => {
    if (message.role !== 'user' || typeof message.content === 'string') return message
    if (!message.content.some(isPicture)) return message
    const parts = message.content.map((part) => (isPicture(part) ? notShown : part))
    const words = parts.filter((part) => part.type === 'text')
    // Some of these models do not accept parts at all.
    const content = words.length === parts.length ? words.map(({ text }) => text).join('\n') : parts
    return { ...message, content }
  })
}

const notShown: ChatCompletionContentPart = {
  type: 'text',
  text: '[The picture itself cannot be shown to you.]',
}

function isPicture({ type }: { type: string }): boolean {
  return type === 'image_url'
}
