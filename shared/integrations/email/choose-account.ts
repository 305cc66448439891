import { Question } from '../../engine/core/tool-error.ts'

/** What of a connected account decides whether mail is sent from it. */
export interface MailAccount {
  /** The agent's owner has chosen it for this tool. */
  pinned: boolean
  /** The address it sends from; undefined where that is not known. */
  address: string | undefined
}

/**
 * The account to send from: the one that `from` names, else the pinned one, else the only one. Where that leaves it
 * open, or `from` is none of them, it throws Question to the user, with their accounts as choices.
 */
export function chooseAccount<A extends MailAccount>(accounts: readonly A[], from: string | undefined): A {
  const addresses = [...new Set(accounts.flatMap(({ address }) => address?.toLowerCase() ?? []))]
  const about = { parameter: 'from', resolver: 'user', choices: addresses } as const
  if (from !== undefined) {
    const named = accounts.find(({ address }) => address?.toLowerCase() === from.toLowerCase())
    if (named) return named
    throw new Question(
      `The email cannot be sent from ${from}, because that is none of your connected accounts (${addresses.join(', ')}). Which of them should it come from?`,
      about,
    )
  }
  const [first] = accounts
  if (first && (first.pinned || addresses.length < 2)) return first
  throw new Question(`Which of your accounts should this email come from: ${inWords(addresses)}?`, about)
}

/** "a or b", "a, b or c". */
function inWords(addresses: readonly string[]): string {
  return addresses.join(', ').replace(/, ([^,]*)$/, ' or $1')
}
