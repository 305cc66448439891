import type { OwnText } from '../../../../shared/engine/transcript/entry.ts'

/** What a closed card says, by how it was closed. */
const words: Readonly<Record<string, OwnText>> = {
  replaced: { code: 'asked_again', text: 'Asked again below.' },
  yielded: {
    code: 'yielded',
    text: 'The same is now asked for other people below. If you want this as well, approve it to be asked again.',
  },
  expired: {
    code: 'expired',
    text: 'This was open for too long and has expired. Approve it to be asked again.',
  },
  stop: { code: 'not_carried_out', text: 'This was stopped before it was done.' },
  message: { code: 'new_message', text: 'This was not done, because you wrote a new message.' },
  skip: { code: 'skipped', text: 'This was not done, because you skipped it.' },
  deny: { code: 'denied', text: 'You denied this.' },
  beside: { code: 'waits_for_other', text: 'This is waiting for the decision about another call.' },
}

export function closedWords(as: string): OwnText {
  return words[as] ?? { code: 'decided', text: 'This was already decided.' }
}
