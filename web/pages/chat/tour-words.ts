import { wordsOf } from '../../base/language.ts'

/** What is said to the demo model in each step. It understands English only. */
export const tourSentences = [
  'Write an email about the meeting to ada@example.com',
  'Repeat yourself: write an email about the budget to grace@example.com',
  'Write an email about the party to lost-reply@example.com',
]

/** The texts of the tour through the demo, step by step. */
export const tourWords = wordsOf('tour', {
  title: 'Three clicks, three things that go wrong',
  others: 'Or try something else',
  steps: [
    {
      name: 'A forgotten address',
      about: 'The model leaves out whom the email is for.',
      seen: 'The model forgot the address, so nothing was sent. Askback asked for it, the model took it from your message, and now you decide.',
    },
    {
      name: 'A repetition',
      about: 'The model sends an email that it has already sent.',
      seen: 'Send the email. The model then tries to send it again, and you’re asked first.',
    },
    {
      name: 'A lost reply',
      about: 'The mail server takes an email, but its reply never arrives.',
      seen: 'Send the email. The mail server’s reply gets lost, so nobody knows whether the email was sent. It won’t be sent again unless you say so.',
    },
  ],
  place: (step: number, steps: number) => `Tour, ${step} of ${steps}`,
  next: (name: string) => `Next: ${name}`,
  /** The text in brackets becomes a link. */
  end: 'That was the tour. Everything that was sent is in the [test inbox].',
})
