/** What a card says once its item is closed, by how that happened. */
const words: Readonly<Record<string, string>> = {
  replaced: 'Asked again below.',
  expired: 'This was open for too long and has expired. Approve it to be asked again.',
  stop: 'This was stopped before it was done.',
  message: 'This was not done, because you wrote a new message.',
  skip: 'You went on without this.',
  deny: 'You declined this.',
}

export function closedWords(as: string): string {
  return words[as] ?? 'This was already decided.'
}
