/**
 * A list that a person has written into one field: parts between commas, semicolons and line breaks, except within quotes
 * and angle brackets.
 *
 * @example
 * splitList('"Lovelace, Ada" <ada@example.com>; bob@example.com')
 * // => ['"Lovelace, Ada" <ada@example.com>', 'bob@example.com']
 */
export function splitList(text: string): string[] {
  const parts = text.match(/(?:"(?:\\.|[^"\\])*"|<[^>]*>|[^,;\r\n])+/g) ?? []
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
