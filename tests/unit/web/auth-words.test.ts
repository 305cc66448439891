import { describe, expect, test } from 'vitest'
import {
  addressProblem,
  authSentence,
  linkFailure,
  newPasswordProblem,
} from '../../../web/base/auth-words.ts'

describe('a failure of Supabase Auth', () => {
  test.each([
    [{ code: 'invalid_credentials', status: 400 }, 'Email or password is wrong.'],
    [{ code: 'email_not_confirmed', status: 400 }, 'Confirm this address first: open the link we sent you.'],
    [{ code: 'over_email_send_rate_limit', status: 429 }, 'Too many attempts.'],
    [{ code: 'over_request_rate_limit', status: 429 }, 'Too many attempts.'],
    [{ status: 429 }, 'Too many attempts.'],
    [{ code: 'weak_password', status: 422, reasons: ['length'] }, 'Choose a longer password.'],
    [{ code: 'weak_password', status: 422, reasons: ['pwned'] }, 'This password has appeared in a data leak'],
    [{ code: 'weak_password', status: 422, reasons: ['characters'] }, 'upper- and lowercase letters'],
    [{ code: 'same_password', status: 422 }, 'That’s already your password.'],
    [{ status: 0 }, 'Can’t reach the server.'],
    [{ code: 'unexpected_failure', status: 500 }, 'Sign-in isn’t working.'],
  ])('%j is said so that one knows what to do', (failure, words) => {
    expect(authSentence({ message: 'raw words', ...failure })).toContain(words)
  })

  test('of an older server is known by its words', () => {
    const old = (message: string) => authSentence({ message, status: 400 })
    expect(old('Invalid login credentials')).toBe('Email or password is wrong.')
    expect(old('User already registered')).toContain('There’s already an account with this address.')
    expect(old('Email not confirmed')).toContain('Confirm this address')
  })
})

test('what was typed is checked before anybody is asked', () => {
  expect(addressProblem('')).toBe('Enter your email address.')
  expect(addressProblem('ada@')).toBe('“ada@” isn’t a complete email address. Example: name@example.com.')
  expect(addressProblem('ada@bücher.example')).toBeUndefined()
  expect(newPasswordProblem('1234567')).toBe('Choose a password of at least 8 characters.')
  expect(newPasswordProblem('12345678')).toBeUndefined()
})

test('a link that failed is told from one that worked, and from none', () => {
  expect(linkFailure('#error=access_denied&error_code=otp_expired&error_description=x')).toContain(
    'has expired',
  )
  expect(linkFailure('#error=server_error')).toBe('This link didn’t work. Request a new one.')
  expect(linkFailure('#access_token=a&type=signup')).toBeUndefined()
  expect(linkFailure('')).toBeUndefined()
})
