import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from '../../../support/docs-pages.ts'
import { project } from '../../../support/stack.ts'

/** How sources read variables; what a name stands beside tells it from other words in capitals. */
const readers = [
  // Deno.env.get('NAME'), required(env, 'NAME'), read('NAME'), readKey(env, 'NAME', 'NAME')
  /\b(?:env\.get|required|read|readKey|readSwitch)\((?:\w+, )?'([A-Z][A-Z0-9_]+)'/g,
  /\breadKey\(\w+, '[A-Z0-9_]+', '([A-Z][A-Z0-9_]+)'/g,
  // process.env.NAME, env.NAME, environment.NAME, settings.NAME
  /\b(?:env|environment|settings|[a-z]+Settings)\??\.([A-Z][A-Z0-9_]+|npm_\w+)\b/g,
  // const { NAME, NAME: name } = env
  /[{,]\s*([A-Z][A-Z0-9_]+)(?=[^{}]*\}\s*=\s*(?:process\.)?env)/g,
  // What a table of providers names.
  /\b(?:apiKey|baseURL|model|variable): '([A-Z][A-Z0-9_]+)'/g,
  // Ours, wherever they stand.
  /\b(ASKBACK_[A-Z_]*[A-Z])\b/g,
  /\b([A-Z]+(?:_[A-Z]+)*_(?:API_KEY|BASE_URL))\b/g,
]

/** Those of integrations that tests and `npm run new-integration` make, a code of a provider, and what a suite sets. */
const others = [
  'NOTES_API_BASE_URL',
  'TASKS_API_BASE_URL',
  'RIVER_LEVEL_API_BASE_URL',
  'INVALID_API_KEY',
  'MCP_CONFORMANCE_CONTEXT',
]

function variablesRead(): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: project, encoding: 'utf8' })
  const found = new Map<string, string>()
  for (const file of listed
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('tests/unit/docs/'))) {
    const source = readFileSync(join(project, file), 'utf8')
    for (const reader of readers)
      for (const [, name = ''] of source.matchAll(reader)) if (!others.includes(name)) found.set(name, file)
  }
  return found
}

test('every variable that a file reads is in docs/settings.md, and every one there is read', () => {
  const documented = new Set(
    [...readPage('docs/settings.md').matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    ),
  )
  const read = variablesRead()
  const missing = [...read]
    .filter(([name]) => !documented.has(name))
    .map(([name, file]) => `${name}, read by ${file}`)
  expect(missing).toEqual([])
  expect([...documented].filter((name) => !read.has(name))).toEqual([])
})
