/** Deeper arguments are refused: later steps may walk them recursively. */
export const maxDepth = 64
/** Members and items together. A model's longest answer has fewer. */
export const maxValues = 20_000
/** UTF-16 units of the raw text: ten megabytes of attachments in base64, and two texts of a megabyte. */
export const maxLength = 16 * 1024 * 1024

interface ValueSurvey {
  /** Members of all objects, to compare with the text. */
  members: number
  /** Members and items. */
  values: number
  /** Why the value must not be passed on. */
  fault?: { reason: 'too_large' | 'forbidden_key'; message: string }
}

/** Walks a parsed value once, at most `maxDepth` levels and `maxValues` values. */
export function surveyValue(value: unknown): ValueSurvey {
  const survey: ValueSurvey = { members: 0, values: 0 }
  visit(value, 1, survey)
  return survey
}

function visit(value: unknown, depth: number, survey: ValueSurvey): void {
  if (typeof value !== 'object' || value === null || survey.fault) return
  if (depth > maxDepth) survey.fault = { reason: 'too_large', message: tooDeep }
  else if (Array.isArray(value)) visitItems(value, depth, survey)
  else visitMembers(value as Record<string, unknown>, depth, survey)
}

function visitItems(items: unknown[], depth: number, survey: ValueSurvey): void {
  survey.values += items.length
  if (survey.values > maxValues) survey.fault = { reason: 'too_large', message: tooMany }
  else for (const item of items) visit(item, depth + 1, survey)
}

function visitMembers(object: Record<string, unknown>, depth: number, survey: ValueSurvey): void {
  for (const key in object) {
    survey.members++
    if (++survey.values > maxValues) survey.fault = { reason: 'too_large', message: tooMany }
    else if (isForbiddenKey(key, object[key]))
      survey.fault = { reason: 'forbidden_key', message: notAllowed(key) }
    else visit(object[key], depth + 1, survey)
    if (survey.fault) return
  }
}

/** `__proto__`, and `constructor` with a `prototype`: merging such a value would change every object. */
export function isForbiddenKey(key: string, member: unknown): boolean {
  if (key === '__proto__') return true
  return (
    key === 'constructor' &&
    typeof member === 'object' &&
    member !== null &&
    Object.hasOwn(member, 'prototype')
  )
}

export const tooDeep = `the arguments are nested more than ${maxDepth} levels deep`
const tooMany = `the arguments hold more than ${maxValues} values`
export const notAllowed = (key: string) => `the key "${key}" is not allowed`
