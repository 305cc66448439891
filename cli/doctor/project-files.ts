import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { schemaVersion } from '../../shared/server/version.ts'
import { Refusal } from '../command/refusal.ts'
import { compareVersions } from '../package/compare-versions.ts'
import { version } from '../package/package-folder.ts'
import { pending } from '../project/changes.ts'
import { configPath, type Installation, planUpgrade } from '../project/installation.ts'
import { integrationMigrations, ownMigrations } from '../project/migrations.ts'
import type { ProjectRecord } from '../project/record.ts'
import { type Finding, fail, note, ok } from './finding.ts'
import type { Target } from './target.ts'

interface Config {
  api?: { schemas?: string[] }
  functions?: Record<string, { verify_jwt?: boolean; enabled?: boolean }>
}

/** What is in the files of the project, and which of its functions are deployed with other settings. */
export function checkFiles(project: string, installed: ProjectRecord | undefined, target: Target): Finding[] {
  if (!installed) return [fail(`Askback was not added to ${project}. Add it: npx askback add`)]
  let config: Config
  try {
    config = getStaticTOMLValue(parseTOML(readFileSync(join(project, 'supabase/config.toml'), 'utf8')))
  } catch (error) {
    return [fail(`supabase/config.toml cannot be read: ${(error as Error).message}`)]
  }
  return [
    ...checkOwnFiles(project, installed),
    checkMigrations(project),
    ...checkOwnIntegrations(project, installed),
    checkSchemas(config),
    ...checkTokens(Object.values(installed.functions), config, target),
  ]
}

/** Whether every file of ours is as the running package writes it; migrations and `config.toml` are looked at by themselves. */
function checkOwnFiles(project: string, installed: ProjectRecord): Finding[] {
  if (compareVersions(installed.version, version) !== 0) {
    const sentence = `The functions are of askback ${installed.version}, and this is ${version}.`
    return [
      compareVersions(installed.version, version) < 0
        ? note(`${sentence} Upgrade them: npx askback upgrade`)
        : note(`${sentence} Install askback ${installed.version}.`),
    ]
  }
  let plan: Installation
  try {
    plan = planUpgrade(project, installed, false)
  } catch (error) {
    if (error instanceof Refusal) return [fail(error.message)]
    throw error
  }
  const wrong = pending(project, plan.changes)
    .map(({ path }) => path)
    .filter((path) => path !== configPath && !path.startsWith('supabase/migrations/'))
  const more = wrong.length > 3 ? ` and ${wrong.length - 3} more` : ''
  return [
    wrong.length === 0
      ? ok(`The functions are of askback ${version}`)
      : fail(`Missing or old: ${wrong.slice(0, 3).join(', ')}${more}. Write them: npx askback upgrade`),
    ...plan.kept.map((path) =>
      note(`${path} was changed by hand. If that was a mistake: npx askback upgrade --force`),
    ),
  ]
}

function checkMigrations(project: string): Finding {
  const numbers = ownMigrations(project).map(({ schema }) => schema)
  const missing = Array.from({ length: schemaVersion }, (_, index) => index + 1).find(
    (n) => !numbers.includes(n),
  )
  if (missing === undefined) return ok(`The migrations are there, up to version ${schemaVersion}`)
  return fail(`The migration of version ${missing} is missing. Write it: npx askback upgrade`)
}

/** Until they have a migration, only `askback dev` knows their tools. */
function checkOwnIntegrations(project: string, { own }: ProjectRecord): Finding[] {
  const unwritten = own.filter((name) => integrationMigrations(project, name).length === 0)
  return unwritten.map((name) =>
    note(
      `The tools of ${name} have no migration yet. When they are ready, write it: npx askback new-integration ${name.replace(/-api$/, '')}`,
    ),
  )
}

function checkSchemas({ api }: Config): Finding {
  if (api?.schemas?.includes('askback')) return ok('supabase/config.toml exposes the schema "askback"')
  return fail(
    'supabase/config.toml does not expose the schema "askback". Add it to api.schemas: npx askback add',
  )
}

/** Our functions verify tokens themselves, since the clock and API tokens are no users. */
function checkTokens(slugs: readonly string[], { functions = {} }: Config, target: Target): Finding[] {
  const here = slugs.filter((slug) => functions[slug]?.verify_jwt !== false)
  const deployed = target.functions ?? []
  const absent = target.functions ? slugs.filter((slug) => !deployed.some((one) => one.slug === slug)) : []
  const there = deployed
    .filter((one) => slugs.includes(one.slug) && one.verify_jwt !== false)
    .map(({ slug }) => slug)
  return [
    here.length === 0
      ? ok('Functions verify tokens themselves (verify_jwt = false)')
      : fail(
          `supabase/config.toml lacks verify_jwt = false for ${here.join(', ')}. Write it: npx askback add`,
        ),
    ...(absent.length > 0
      ? [fail(`Not deployed: ${absent.join(', ')}. Deploy them: supabase functions deploy`)]
      : []),
    ...(there.length > 0
      ? [fail(`Deployed with verify_jwt: ${there.join(', ')}. Deploy them again: supabase functions deploy`)]
      : []),
  ]
}
