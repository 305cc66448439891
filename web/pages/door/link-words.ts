import { wordsOf } from '../../base/language.ts'

/** The texts of the pages that links in mails lead to: loaded with them. */
export const linkWords = wordsOf('links', {
  newPassword: 'New password',
  choosePassword: 'Choose a new password',
  passwordFor: (email: string) => `For ${email}. You’ll be signed in with it.`,
  savePassword: 'Save password',

  linkTitle: 'Sign in with a link',
  linkQuestion: (email: string) => `Sign in as ${email}?`,
  linkNote: (email: string) =>
    `The link you opened signs you in as ${email}. Continue only if this account is yours: everything you write and connect there belongs to it.`,
  goOnAs: (email: string) => `Continue as ${email}`,
  stayAs: (email: string) => `Stay signed in as ${email}`,
  somebodyElse: 'somebody else',
  dontSignIn: 'Don’t sign in',
})
