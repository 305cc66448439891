/** The English labels for mails about what waits: only the pages with them load these. */
export const englishDigests = {
  title: 'Mails',
  choice: 'Mail me when something has waited for me longer than',
  never: 'Never',
  note: (to: string) =>
    `To ${to}. One mail says everything that is asked, with links to decide it, and nothing is mailed twice.`,
  noAddress: 'Your account has no confirmed email address, so you can’t be mailed.',
  saved: (after: string) => `You’ll be mailed when something has waited for longer than ${after}.`,
  savedNever: 'You won’t be mailed.',
  /** On the page that a mail's own link leads to. */
  endQuestion: 'Stop these mails?',
  endNote: 'You won’t be mailed about what waits for you. You can turn it on again in the app.',
  end: 'Stop the mails',
  ended: 'You won’t be mailed about what waits for you any more.',
}

export type DigestLabels = typeof englishDigests
