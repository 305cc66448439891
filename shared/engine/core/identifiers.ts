/** 36 to the ninth: the number of ids with nine digits and letters. */
const possibleIds = 36 ** 9

/**
 * A tool call id of ours: nine letters or digits, the only form that every provider accepts
 * (Mistral takes exactly that, Anthropic letters, digits, `_` and `-`, OpenAI at most 40 characters).
 */
export function createToolCallId(): string {
  // The first twelve hex digits of a UUID are random, and pooled, unlike single random bytes.
  const uuid = crypto.randomUUID()
  const random = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
  return (random % possibleIds).toString(36).padStart(9, '0')
}

/** The id of an open item: its call, and which of the questions about it. */
export function createItemId(toolCallId: string): string {
  return `${toolCallId === '' ? 'run' : toolCallId}.${createToolCallId()}`
}
