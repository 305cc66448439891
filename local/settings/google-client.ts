import type { Environment } from './settings.ts'

/** A warning that only half of a Google client is set, which would silently turn off signing in with Google. */
export function describeHalfSetGoogle(environment: Environment): string | undefined {
  const names = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']
  const missing = names.filter((name) => !environment[name])
  if (missing.length !== 1) return undefined
  const set = names.find((name) => environment[name])
  return `google: ${set} is set and ${missing[0]} is not, so nobody can sign in with Google. Set both, or neither.`
}
