import type { PermissionTerms } from '../../api/permission.ts'
import type { AskbackError } from '../../askback-error.ts'
import type { Labels } from '../../labels/en.ts'

/** What is wrong with the terms of a standing permission, by field. */
export type PermissionProblems = Partial<Record<'pattern' | 'max', string>>

/** Refusals that are about whom the permission is for. */
const aboutPattern: readonly string[] = ['pattern_too_wide', 'pattern_does_not_fit']

/** An address, or `*@` and a domain. */
const pattern = /^\s*(?:\*|[^\s@*,;]+)@[^\s@.]+(?:\.[^\s@.]+)+\s*$/

/** What is wrong with them at the first glance; undefined if nothing is. */
export function findPermissionProblems(
  terms: PermissionTerms,
  labels: Labels,
): PermissionProblems | undefined {
  if (!pattern.test(terms.pattern)) return { pattern: labels.isNoPattern(terms.pattern) }
  const { max } = terms
  if (Number.isInteger(max) && max >= 1 && max <= 1000) return undefined
  const range = { isWhole: true, least: '1', most: '1000' }
  return { max: labels.mustBeNumber(labels.permittedMax, range) }
}

/** Why the server refused them, at the field that it is about; undefined if it is about none of them. */
export function readPermissionProblems(error: unknown): PermissionProblems | undefined {
  const { code, message } = error as Partial<AskbackError>
  return code !== undefined && aboutPattern.includes(code) ? { pattern: message ?? '' } : undefined
}
