import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPage } from '../../../support/docs-pages.ts'
import { project } from '../../../support/stack.ts'

/** Where events are named by what a run says of itself. */
const ofRuns = 'supabase/functions/chat/turn/log-event.ts'

function sourcesIn(folder: string): [file: string, text: string][] {
  return readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => [join(folder, file), readFileSync(join(project, folder, file), 'utf8')])
}

const sources = [...sourcesIn('shared'), ...sourcesIn('supabase/functions')]

const found = (pattern: RegExp, folder: string) =>
  sources
    .filter(([file]) => file.startsWith(folder))
    .flatMap(([, text]) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''))

const events = new Set([
  ...found(/\bwriteLog\(\s*'([a-z-]+)'/g, ''),
  ...found(/\bevent: '([a-z-]+)'/g, 'shared/server/log/'),
  ...found(/\bname: '([a-z-]+)'/g, ofRuns),
  ...found(/\bnotice: '([a-z-]+)'/g, 'shared/engine/transcript/entry.ts'),
])

/** The names in the first column of the tables, and at the beginning of a sentence. */
const [, logs = ''] = /\n## Logs\n([\s\S]*?)\n## /.exec(readPage('docs/observability.md')) ?? []
const told = new Set(
  [...logs.matchAll(/^\| (`[^|]*`) \|/gm), ...logs.matchAll(/(?:^|\. )(`[a-z-]+`) says/gm)].flatMap(
    ([, names = '']) => [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
  ),
)

describe('the events of the log', () => {
  it('are named where they are written, so that they can be looked up', () => {
    const others = sources.filter(
      ([file, text]) => file !== ofRuns && /(?<!function )\bwriteLog\((?!\s*')/.test(text),
    )
    expect(others.map(([file]) => file)).toEqual([])
  })

  it('are those that docs/observability.md lists', () => {
    expect(events.size).toBeGreaterThan(50)
    expect([...told].sort()).toEqual([...events].sort())
  })
})
