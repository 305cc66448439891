import type { Verification } from './tool-specification.ts'

const verifications: readonly unknown[] = [
  'sent',
  'not_sent',
  'not_found',
  'unknown',
] satisfies readonly Verification[]

/** Whether what a tool or another function returned is what a verification may say. */
export function isVerification(value: unknown): value is Verification {
  return verifications.includes(value)
}
