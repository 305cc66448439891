import type { AskbackError } from '../askback-error.ts'
import type { Labels } from './en.ts'

/** What went wrong, in the language of the labels where its code is known there, else as it was said. */
export function describeFailure(error: unknown, { failures }: Pick<Labels, 'failures'>): string {
  const { code, message } = error as AskbackError
  return Object.hasOwn(failures, code) ? failures[code as keyof typeof failures] : message
}
