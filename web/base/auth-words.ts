import { wordsOf } from './language.ts'
import { shortestPassword } from './shortest-password.ts'

/** The parts of a Supabase Auth error that are used here. */
export interface AuthFailure {
  message: string
  /** https://supabase.com/docs/guides/auth/debugging/error-codes */
  code?: string | undefined
  status?: number | undefined
  /** For `weak_password`. */
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
    email_provider_disabled: 'Sign-up by email is switched off. Ask your administrator.',
    user_banned: 'This account is blocked. Ask your administrator.',
    otp_expired: 'This link has expired or was already used. Request a new one.',
    session_expired: 'You were signed out. Sign in again.',
    reauthentication_needed: 'Sign out and in again first, then change your password.',
  },
  tooMany: 'Too many attempts. Wait a minute and try again.',
  unreachable: 'Can’t reach the server. Check your connection and try again.',
  broken: 'Sign-in isn’t working. Try again in a minute.',
  leaked: 'This password has appeared in a data leak. Choose a different one.',
  tooPlain: 'Use upper- and lowercase letters, digits and symbols.',
  tooShort: 'Choose a longer password.',
  enterEmail: 'Enter your email address.',
  notAnAddress: (typed: string) => `“${typed}” isn’t a complete email address. Example: name@example.com.`,
  atLeast: (characters: number) => `Choose a password of at least ${characters} characters.`,
  linkFailed: 'This link didn’t work. Request a new one.',
})

/** Turns a Supabase Auth error into a sentence that says what to do. */
export function authSentence({ message, code = '', status, reasons = [] }: AuthFailure): string {
  const { byCode, ...words } = authWords()
  if (code === 'weak_password') {
    if (reasons.includes('pwned')) return words.leaked
    return reasons.includes('characters') ? words.tooPlain : words.tooShort
  }
  const known = sentenceOf(code)
  if (known) return known
  if (status === 429 || /rate_limit/.test(code)) return words.tooMany
  // Supabase Auth before 2024 has no error codes.
  if (/invalid login/i.test(message)) return byCode.invalid_credentials
  if (/already registered/i.test(message)) return byCode.user_already_exists
  if (/email not confirmed/i.test(message)) return byCode.email_not_confirmed
  if (!status || /fetch/i.test(message)) return words.unreachable
  if (status >= 500) return words.broken
  return message
}

/** What is wrong with a typed address, before any request; undefined if nothing is. */
export function addressProblem(email: string): string | undefined {
  if (email === '') return authWords().enterEmail
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return undefined
  return authWords().notAnAddress(email)
}

export function newPasswordProblem(password: string): string | undefined {
  if (password.length >= shortestPassword) return undefined
  return authWords().atLeast(shortestPassword)
}

/** A sentence for the error that a link from a mail puts into the URL if it has expired or was already used. */
export function linkFailure(hash: string): string | undefined {
  const facts = new URLSearchParams(hash.replace(/^#/, ''))
  if (!facts.has('error') && !facts.has('error_code')) return undefined
  return sentenceOf(facts.get('error_code') ?? '') ?? authWords().linkFailed
}

function sentenceOf(code: string): string | undefined {
  return (authWords().byCode as Partial<Record<string, string>>)[code]
}
