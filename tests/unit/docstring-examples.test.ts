import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as askback from '../../shared/index.ts'

/*
 * Runs the examples in the docstrings of shared/: every `@example` block with a `// =>` line, which says what the
 * statement before it gives. Plain JavaScript (`as const` is taken out); in scope are `z`, everything that shared/index.ts and
 * the file itself export, and what the block imports. A block without `// =>` is an illustration.
 */

const shared = fileURLToPath(new URL('../../shared', import.meta.url))

interface Example {
  file: string
  line: number
  code: string
}

async function readExamples(): Promise<Example[]> {
  const files = (await readdir(shared, { recursive: true })).filter((file) => file.endsWith('.ts')).sort()
  const found: Example[] = []
  for (const file of files) found.push(...examplesIn(file, await readFile(join(shared, file), 'utf8')))
  return found
}

function examplesIn(file: string, source: string): Example[] {
  const examples: Example[] = []
  for (const comment of source.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const startLine = source.slice(0, comment.index).split('\n').length
    const lines = comment[0]
      .slice(0, -2)
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
    for (const [index, line] of lines.entries()) {
      if (line.trim() !== '@example') continue
      const end = lines.findIndex((other, at) => at > index && /^@\w/.test(other))
      const code = lines.slice(index + 1, end < 0 ? undefined : end).join('\n')
      examples.push({ file, line: startLine + index, code })
    }
  }
  return examples
}

const expectation = /\s*\/\/ =>\s?/

/** The block as the body of an async function: each `// =>` becomes a call of `check(actual, () => expected)`. */
function compile(code: string): { imports: string[]; body: string } {
  const lines: string[] = []
  const imports: string[] = []
  let statement = 0
  for (const line of code.replaceAll(' as const', '').split('\n')) {
    if (/^import\s/.test(line)) {
      imports.push(line)
      continue
    }
    const [text = '', expected] = splitExpectation(line)
    // A statement begins at the left margin; brackets that close one belong to it.
    if (/^[^\s)\]}/]/.test(text)) statement = lines.length
    if (text.trim() !== '') lines.push(text)
    if (expected === undefined) continue
    const checked = lines.splice(statement).join('\n')
    const declared = /^(?:const|let)\s+(\w+)\s*=/.exec(checked)
    if (declared) lines.push(checked, `check(${declared[1]}, () => (${expected}))`)
    else lines.push(`check(${checked}\n, () => (${expected}))`)
    statement = lines.length
  }
  return { imports, body: lines.join('\n') }
}

function splitExpectation(line: string): [string, string?] {
  const match = expectation.exec(line)
  return match ? [line.slice(0, match.index), line.slice(match.index + match[0].length)] : [line]
}

async function importedNames(file: string, imports: string[]): Promise<Record<string, unknown>> {
  const names: Record<string, unknown> = {}
  for (const line of imports) {
    const [, list = '', from = ''] = /^import\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/.exec(line) ?? []
    const path = from === 'askback' ? join(shared, 'index.ts') : join(shared, dirname(file), from)
    const exports: Record<string, unknown> = await import(
      /* @vite-ignore */ from.startsWith('.') || from === 'askback' ? path : from
    )
    for (const name of list
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean))
      names[name] = exports[name]
  }
  return names
}

const examples = (await readExamples()).filter((example) => expectation.test(example.code))

describe('examples in docstrings give what they say', () => {
  test('there are examples', () => {
    expect(examples.length).toBeGreaterThan(10)
  })

  for (const { file, line, code } of examples) {
    test(`${relative('.', file)}:${line}`, async () => {
      const { imports, body } = compile(code)
      const own: Record<string, unknown> = await import(/* @vite-ignore */ join(shared, file))
      const scope = { z, ...askback, ...own, ...(await importedNames(file, imports)) }
      let checks = 0
      const check = (actual: unknown, expected: () => unknown) => {
        checks++
        expect(actual).toEqual(expected())
      }
      const AsyncFunction = (async () => {}).constructor as new (
        ...parts: string[]
      ) => (...values: unknown[]) => Promise<void>
      const run = new AsyncFunction('check', ...Object.keys(scope), body)
      await run(check, ...Object.values(scope))
      expect(checks).toBeGreaterThan(0)
    })
  }
})
