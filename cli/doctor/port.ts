import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { type Finding, note, ok } from './finding.ts'
import type { Target } from './target.ts'

/** Whether `askback dev` could take its port. */
export async function checkPort(project: string, { kind, url }: Target): Promise<Finding[]> {
  if (kind === 'dev') return [ok(`\`askback dev\` runs at ${url}`)]
  if (kind !== 'files') return []
  const port = Number(process.env.ASKBACK_PORT) || readPort(project)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return [ok(`Port ${port} is free for \`askback dev\``)]
  } catch {
    return [
      note(
        `Port ${port} is taken, perhaps by \`supabase start\`. Stop that, or set ASKBACK_PORT for \`askback dev\`.`,
      ),
    ]
  } finally {
    server.close()
  }
}

function readPort(project: string): number {
  try {
    const text = readFileSync(join(project, 'supabase/config.toml'), 'utf8')
    const { api } = getStaticTOMLValue(parseTOML(text)) as { api?: { port?: number } }
    return api?.port ?? 54321
  } catch {
    return 54321
  }
}
