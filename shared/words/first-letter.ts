/**
 * A sentence or title as the rest of a sentence: an ordinary first word in lower case, a name as it is.
 *
 * @example
 * lowerFirst('Send email') // => 'send email'
 * lowerFirst('mail.example.com offers no sign-in.') // => 'mail.example.com offers no sign-in.'
 */
export function lowerFirst(text: string): string {
  return text.replace(/^\p{Lu}(?=\p{Ll}* )/u, (letter) => letter.toLowerCase())
}
