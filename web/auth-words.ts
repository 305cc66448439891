import { wordsOf } from './language.ts'

/** Characters of a password. Supabase Auth takes six; a project can ask for more. */
export const shortestPassword = 8

/** What Supabase Auth says of a failure, as far as it is read here. */
export interface AuthFailure {
  message: string
  /** https://supabase.com/docs/guides/auth/debugging/error-codes */
  code?: string | undefined
  status?: number | undefined
  /** Of `weak_password`. */
  reasons?: string[] | undefined
}

const taken = 'There’s already an account with this address. Sign in or reset your password.'

export const authWords = wordsOf('auth', {
  byCode: {
    invalid_credentials: 'Email or password is wrong.',
    user_already_exists: taken,
    email_exists: taken,
    email_not_confirmed: 'Confirm this address first: open the link we sent you.',
    email_address_invalid: 'Mail can’t be sent to this address. Check its spelling.',
    email_address_not_authorized:
      'This server only emails its own team. Ask your administrator to set up a mail server.',
    same_password: 'That’s already your password. Choose a different one.',
    signup_disabled: 'Sign-up is closed. Ask your administrator.',
    email_provider_disabled: 'Sign-up by email is closed. Ask your administrator.',
    user_banned: 'This account is blocked. Ask your administrator.',
    otp_expired: 'This link has expired or was already used. Request a new one.',
    session_expired: 'You were signed out. Sign in again.',
    reauthentication_needed: 'Sign out and in again first, then change your password.',
  },
  tooMany: 'Too many attempts. Wait a minute and try again.',
  unreachable: 'Can’t reach the server. Check your connection and try again.',
  broken: 'Sign-in isn’t working. Try again in a minute.',
  leaked: 'This password is known from a leak elsewhere. Choose another one.',
  tooPlain: 'Use upper- and lowercase letters, digits and symbols.',
  tooShort: 'Choose a longer password.',
  enterEmail: 'Enter your email address.',
  notAnAddress: (typed: string) => `“${typed}” isn’t a complete email address. Example: name@example.com.`,
  atLeast: (characters: number) => `Choose a password of at least ${characters} characters.`,
  linkFailed: 'This link didn’t work. Request a new one.',
})

/** A failure of Supabase Auth as a sentence that says what to do. */
export function authSentence({ message, code = '', status, reasons = [] }: AuthFailure): string {
  const { byCode, ...words } = authWords()
  if (code === 'weak_password') {
    if (reasons.includes('pwned')) return words.leaked
    return reasons.includes('characters') ? words.tooPlain : words.tooShort
  }
  const known = sentenceOf(code)
  if (known) return known
  if (status === 429 || /rate_limit/.test(code)) return words.tooMany
  // Supabase Auth before 2024 names no codes.
  if (/invalid login/i.test(message)) return byCode.invalid_credentials
  if (/already registered/i.test(message)) return byCode.user_already_exists
  if (/email not confirmed/i.test(message)) return byCode.email_not_confirmed
  if (!status || /fetch/i.test(message)) return words.unreachable
  if (status >= 500) return words.broken
  return message
}

/** What is wrong with what was typed, before anybody is asked; undefined: nothing. */
export function addressProblem(email: string): string | undefined {
  if (email === '') return authWords().enterEmail
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return undefined
  return authWords().notAnAddress(email)
}

export function newPasswordProblem(password: string): string | undefined {
  if (password.length >= shortestPassword) return undefined
  return authWords().atLeast(shortestPassword)
}

/** Links of mails come back with an error in the address when they are too old or were used: a sentence about it. */
export function linkFailure(hash: string): string | undefined {
  const facts = new URLSearchParams(hash.replace(/^#/, ''))
  if (!facts.has('error') && !facts.has('error_code')) return undefined
  return sentenceOf(facts.get('error_code') ?? '') ?? authWords().linkFailed
}

function sentenceOf(code: string): string | undefined {
  return (authWords().byCode as Partial<Record<string, string>>)[code]
}
