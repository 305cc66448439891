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

const sentences: Record<string, string> = {
  invalid_credentials: 'Email or password is wrong.',
  user_already_exists: 'There’s already an account with this address. Sign in or reset your password.',
  email_exists: 'There’s already an account with this address. Sign in or reset your password.',
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
}

/** A failure of Supabase Auth as a sentence that says what to do. */
export function authSentence({ message, code = '', status, reasons = [] }: AuthFailure): string {
  if (code === 'weak_password') return weakPassword(reasons)
  const known = sentences[code]
  if (known) return known
  if (status === 429 || /rate_limit/.test(code)) return 'Too many attempts. Wait a minute and try again.'
  // Supabase Auth before 2024 names no codes.
  if (/invalid login/i.test(message)) return 'Email or password is wrong.'
  if (/already registered/i.test(message)) return sentences.user_already_exists ?? ''
  if (/email not confirmed/i.test(message)) return sentences.email_not_confirmed ?? ''
  if (!status || /fetch/i.test(message)) return 'Can’t reach the server. Check your connection and try again.'
  if (status >= 500) return 'Sign-in isn’t working. Try again in a minute.'
  return message
}

/** What is wrong with what was typed, before anybody is asked; undefined: nothing. */
export function addressProblem(email: string): string | undefined {
  if (email === '') return 'Enter your email address.'
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return undefined
  return `“${email}” isn’t a complete email address. Example: name@example.com.`
}

export function newPasswordProblem(password: string): string | undefined {
  if (password.length >= shortestPassword) return undefined
  return `Choose a password of at least ${shortestPassword} characters.`
}

/** Links of mails come back with an error in the address when they are too old or were used: its code. */
export function linkFailure(hash: string): string | undefined {
  const facts = new URLSearchParams(hash.replace(/^#/, ''))
  if (!facts.has('error') && !facts.has('error_code')) return undefined
  return sentences[facts.get('error_code') ?? ''] ?? 'This link didn’t work. Request a new one.'
}

function weakPassword(reasons: readonly string[]): string {
  if (reasons.includes('pwned')) return 'This password is known from a leak elsewhere. Choose another one.'
  if (reasons.includes('characters')) return 'Use upper- and lowercase letters, digits and symbols.'
  return 'Choose a longer password.'
}
