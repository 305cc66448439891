import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readProjectFile } from '../project/changes.ts'
import { readSecret, secretNames, secretsPath } from '../project/env-files.ts'
import { noWords, wordsPath } from '../project/function-files.ts'
import { integrationMigrations, migrationsUsingAskback, ownMigrations } from '../project/migrations.ts'
import type { ProjectRecord } from '../project/record.ts'
import { dropSql } from './drop-sql.ts'

/** What `askback remove` leaves, here and in a linked project, and how to be rid of each; of the project as it is before. */
export function describeRest(project: string, record: ProjectRecord): string {
  return [...yours(project, record), staysHere(project), staysThere(project, record), inTheDatabase]
    .filter((text) => text !== '')
    .join('\n\n')
}

function yours(project: string, { own }: ProjectRecord): string[] {
  const words = readProjectFile(project, wordsPath) ?? noWords
  const parts = [
    ...own.flatMap((name) => [`supabase/functions/${name}`, ...integrationMigrations(project, name)]),
    ...(words === noWords ? [] : [wordsPath]),
  ]
  const users = migrationsUsingAskback(project, own)
  return [
    section('These are yours and stay, but do not work without Askback. Remove them, too:', parts),
    section(
      'These migrations of yours use the schema "askback" and stay: a new database fails at them. Take out what is about it:',
      users,
    ),
  ]
}

function staysHere(project: string): string {
  const isSecret = secretNames.some((name) => readSecret(project, name))
  const hasIgnore = existsSync(join(project, 'supabase/functions/.gitignore'))
  return section('What stays here:', [
    ...(isSecret ? [`your secrets in ${secretsPath}${hasIgnore ? ' (with its .gitignore)' : ''}`] : []),
    ...(existsSync(join(project, '.askback'))
      ? [
          '.askback, with the local database, which still has Askback: delete the folder. If you add Askback again, npx askback dev --reset empties it',
        ]
      : []),
    ...packages(project),
  ])
}

/** The packages that were installed for it. */
function packages(project: string): string[] {
  const text = readProjectFile(project, 'package.json')
  if (text === undefined) return []
  const { dependencies, devDependencies } = JSON.parse(text)
  const all: Record<string, string> = { ...dependencies, ...devDependencies }
  const names = ['askback', 'askback-local'].filter((name) => all[name])
  if (names.length === 0) return []
  const files = names.flatMap((name) => /^file:(.*)/.exec(all[name] ?? '')?.[1] ?? [])
  const rest = files.length > 0 ? `, and delete ${files.join(' and ')}` : ''
  return [`the packages: npm uninstall ${names.join(' ')}${rest}`]
}

function staysThere(project: string, { functions, own }: ProjectRecord): string {
  const slugs = [...Object.values(functions), ...own]
  const versions = [
    ...ownMigrations(project).map(({ version }) => version),
    ...own.flatMap((name) => integrationMigrations(project, name).map(versionOf)),
  ]
  const keep = own.length > 0 ? ' (leave out the numbers of migrations that you keep)' : ''
  return section(
    `In a linked project, the functions, their secrets and all data of Askback stay. This deletes the functions and secrets, and forgets the migrations${keep}:`,
    [
      ...slugs.map((slug) => `supabase functions delete ${slug}`),
      `supabase secrets unset ${secretNames.join(' ')}`,
      ...(versions.length > 0 ? [`supabase migration repair --status reverted ${versions.join(' ')}`] : []),
    ],
  )
}

const inTheDatabase = `This SQL deletes the data. (Empty the bucket askback-files in the dashboard first: SQL forgets files, and keeps their bytes.)

${dropSql}`

function versionOf(path: string): string {
  return /(\d+)_[^/]*$/.exec(path)?.[1] ?? ''
}

/** Empty without lines. */
function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `\n  ${line}`).join('')}`
}
