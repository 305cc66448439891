import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { findDeno } from '../functions/deno-binary.ts'
import { writeCatalogue } from '../integrations/catalogue-sql.ts'
import type { CatalogueFollower } from '../integrations/follow-integrations.ts'
import { loadIntegration } from '../integrations/load-integration.ts'

/** By name: what the database was told of the integrations last. */
type Applied = Map<string, string>

/**
 * Keeps the tools of a project's own integrations in the database as their `integration.ts` says, with or without a
 * migration. One that cannot be read is named, and stays as it was; the others go on.
 */
export async function followOwnIntegrations(
  functionsDirectory: string,
  databaseUrl: string,
): Promise<CatalogueFollower> {
  const applied: Applied = new Map()
  const refresh = async (): Promise<void> => {
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    try {
      for (const name of ownNames(functionsDirectory)) await apply(sql, functionsDirectory, name, applied)
    } finally {
      await sql.end()
    }
  }
  let working = ownNames(functionsDirectory).length > 0 ? refresh() : Promise.resolve()
  await working
  let asked = false
  return {
    follow() {
      if (asked) return
      asked = true
      working = working
        .then(() => {
          asked = false
          return refresh()
        })
        .catch((error) => console.error(`[integrations] ${error.message}`))
    },
    close: () => working,
  }
}

/** Folders of Askback's own functions have no `integration.ts` in a project. */
function ownNames(functionsDirectory: string): string[] {
  if (!existsSync(functionsDirectory)) return []
  return readdirSync(functionsDirectory)
    .filter((name) => existsSync(join(functionsDirectory, name, 'integration.ts')))
    .sort()
}

async function apply(sql: Sql, functionsDirectory: string, name: string, applied: Applied): Promise<void> {
  const loaded = loadIntegration(findDeno(), join(functionsDirectory, name), name)
  if ('fault' in loaded) return console.error(`[integrations] ${loaded.fault}`)
  const text = writeCatalogue([loaded.integration], 'project')
  if (applied.get(name) === text) return
  await sql.begin((transaction) => transaction.unsafe(text))
  if (applied.has(name))
    console.log(`[integrations] the tools of ${name} have changed and are in the database`)
  applied.set(name, text)
}
