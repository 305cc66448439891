import type { Route } from '../../shared/api/route.ts'

export interface Example {
  route: Route
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  answer?: unknown
}
export const examples: readonly Example[] = []
export function exampleOf(route: Route): Partial<Example> {
  return examples.find((one) => one.route === route) ?? {}
}
