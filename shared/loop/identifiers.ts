const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * A tool call id of ours: nine letters or digits, the one form that every provider accepts
 * (Mistral takes exactly that, Anthropic letters, digits, `_` and `-`, OpenAI at most 40 characters).
 */
export function createToolCallId(): string {
  let id = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(9))) id += alphabet[byte % alphabet.length]
  return id
}
