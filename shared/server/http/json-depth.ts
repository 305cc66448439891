import { ApiError } from './api-error.ts'

/** Maximum nesting of a value that clients send; PostgreSQL and most JSON libraries give up at a few thousand. */
const maxDepth = 100

/** Throws ApiError 400 for a value nested too deeply for the code behind us. */
export function requireShallow(value: unknown): void {
  if (isDeeper(value, maxDepth)) throw new ApiError('nested_too_deeply', { levels: maxDepth })
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
