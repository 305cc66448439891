/** What a model is told of the time, before the words of a user. */
const time = /^\(Not from the user: it is [^\n]*\)\n\n/

/** A message of the user as the model reads it, without the time. */
export function withoutTime(content: unknown): string {
  return String(content).replace(time, '')
}
