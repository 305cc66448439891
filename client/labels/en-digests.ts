/** The English labels for emails about what waits: only the pages with them load these. */
export const englishDigests = {
  title: 'Email notifications',
  choice: 'Email me when something has waited longer than',
  never: 'Never',
  note: (to: string) =>
    `To ${to}. One email lists everything that waits for you, with a link to each. Nothing is listed twice.`,
  noAddress: 'Your account has no confirmed email address, so there is nowhere to send them.',
  saved: (after: string) => `You’ll get an email when something has waited longer than ${after}.`,
  savedNever: 'You won’t get emails about what waits for you.',
  /** On the page that a mail's own link leads to. */
  endQuestion: 'Stop these emails?',
  endNote: 'You won’t get emails about what waits for you. You can turn them on again in your account.',
  end: 'Stop the emails',
  ended: 'You won’t get any more emails about what waits for you.',
}

export type DigestLabels = typeof englishDigests
