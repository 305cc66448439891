import { describe } from 'vitest'

/** The same tests over plain answers and over streams. */
export function plainAndStreamed(name: string, tests: (stream: boolean) => void): void {
  describe.each([
    [`${name} (plain)`, false],
    [`${name} (streamed)`, true],
  ])('%s', (_, stream) => tests(stream))
}
