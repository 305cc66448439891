import type { Labels } from './en.ts'

/** What went wrong, in the labels' language if they have its code, else the original sentence. */
export function describeFailure(
  error: unknown,
  { failures, refusals }: Pick<Labels, 'failures' | 'refusals'>,
): string {
  const { code, message } = error as { code: string; message: string }
  if (Object.hasOwn(failures, code)) return failures[code as keyof typeof failures]
  return (Object.hasOwn(refusals, code) ? refusals[code] : null) ?? message
}
