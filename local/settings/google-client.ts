import type { Environment } from './settings.ts'

/** Says that a client of Google is set by half, which would leave signing in there off without a word. */
export function describeHalfSetGoogle(environment: Environment): string | undefined {
  const names = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']
  const missing = names.filter((name) => !environment[name])
  if (missing.length !== 1) return undefined
  const set = names.find((name) => environment[name])
  return `google: ${set} is set and ${missing[0]} is not, so nobody can sign in with Google. Set both, or neither.`
}
