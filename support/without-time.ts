/** What a model is told of the time, and of what was done for the message before, in front of the words of a user. */
const time = /^\(Not from the user: it is (?:[^\n]+\n)+\n/

/** A message of the user as the model reads it, without that. */
export function withoutTime(content: unknown): string {
  return String(content).replace(time, '')
}
