import { Question } from '../../engine/core/tool-error.ts'

/** The facts that decide whether mail is sent from a connected account. */
export interface MailAccount {
  /** The agent's owner has chosen it for this tool. */
  pinned: boolean
  /** The address it sends from; undefined if unknown. */
  address: string | undefined
}

/**
 * The account to send from: the one named by `from`, else the pinned one, else the only one. If that is undecided, or
 * `from` is none of them, throws a Question to the user, with their accounts as choices.
 */
export function chooseAccount<A extends MailAccount>(accounts: readonly A[], from: string | undefined): A {
  const addresses = [...new Set(accounts.flatMap(({ address }) => address?.toLowerCase() ?? []))]
  const about = { parameter: 'from', resolver: 'user', choices: addresses } as const
  if (from !== undefined) {
    const named = accounts.find(({ address }) => address?.toLowerCase() === from.toLowerCase())
    if (named) return named
    throw new Question({ code: 'account_not_connected', values: { from, accounts: addresses } }, about)
  }
  const [first] = accounts
  if (first && (first.pinned || addresses.length < 2)) return first
  throw new Question({ code: 'account_unclear', values: { accounts: addresses } }, about)
}
