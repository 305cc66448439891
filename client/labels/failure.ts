import type { Labels } from './en.ts'

/** What went wrong: in the labels' words if this client has noticed it, else as the server says it to its reader. */
export function describeFailure(error: unknown, { failures }: Pick<Labels, 'failures'>): string {
  const { code, message } = error as { code: string; message: string }
  return Object.hasOwn(failures, code) ? failures[code as keyof typeof failures] : message
}
