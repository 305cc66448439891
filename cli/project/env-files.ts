import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { parseEnvText } from '../../local/settings/env-text.ts'
import { presets } from '../../shared/engine/models/protocol/presets.ts'
import { type Change, readProjectFile } from './changes.ts'
import { lineEndOf } from './line-ends.ts'
import { type Marks, withBlock, withoutBlock } from './marked-block.ts'

const examplePath = '.env.example'
export const secretsPath = 'supabase/functions/.env'
const ignorePath = 'supabase/functions/.gitignore'

const marks: Marks = {
  first: '# Askback: secrets of its functions. Copy what you need to supabase/functions/.env.',
  last: '# The end of Askback.',
}
const example = `# \`npx askback add\` has already put these two in that file. Don't change them. The first encrypts your users' keys and
# passwords, the second signs calls between functions.
ASKBACK_CREDENTIALS_KEYS=
ASKBACK_FUNCTION_SECRET=
# One model key is enough: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY.
OPENAI_API_KEY=
# The addresses of your app, separated by commas: links lead there, and browsers may call from there.
ASKBACK_APP_URLS=
# Gmail and Google Docs.
GOOGLE_CLIENT_ID=
GOOGLE_CLIENT_SECRET=
`

/** `.env.example` with our variables. */
export function exampleWithAskback(project: string): Change {
  const text = withBlock(readProjectFile(project, examplePath) ?? '', marks, example)
  return { path: examplePath, text, about: 'the variables of Askback' }
}

/** `.env.example` without them; the file goes if nothing else is in it. */
export function exampleWithoutAskback(project: string): Change | undefined {
  const text = readProjectFile(project, examplePath)
  if (text === undefined) return undefined
  const rest = withoutBlock(text, marks)
  return { path: examplePath, text: rest === '' ? undefined : rest, about: 'the variables of Askback' }
}

const makers: Record<string, () => string> = {
  ASKBACK_CREDENTIALS_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
  ASKBACK_FUNCTION_SECRET: () => randomBytes(32).toString('base64'),
}

/** The secrets that `askback add` makes. */
export const secretNames = Object.keys(makers)

/**
 * The secrets that the project lacks, made once and put where git does not see them; none if git tracks the file.
 * `isTracked` says so.
 */
export function missingSecrets(project: string): { changes: Change[]; isTracked: boolean } {
  const text = readProjectFile(project, secretsPath) ?? ''
  const missing = secretNames.filter(
    (name) => !new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=\\s*\\S`, 'm').test(text),
  )
  if (missing.length === 0) return { changes: [], isTracked: false }
  if (git(project, 'ls-files', '--error-unmatch', secretsPath)) return { changes: [], isTracked: true }
  const end = lineEndOf(text)
  const lines = missing.map((name) => `${name}=${makers[name]?.()}${end}`).join('')
  const gap = text === '' || text.endsWith('\n') ? '' : end
  const change: Change = {
    path: secretsPath,
    text: text + gap + lines,
    about: missing.join(', '),
    isPrivate: true,
  }
  return { changes: [...ignoreSecrets(project), change], isTracked: false }
}

/** How the variables begin that Askback reads. */
const ownPrefixes = [
  ...new Set([
    'ASKBACK',
    'LLM',
    'GOOGLE_CLIENT',
    ...Object.values(presets).map(({ variables }) => variables.model.replace('_MODEL', '')),
  ]),
]

/** The command that sets our secrets in the linked project, but none that the file has for the team's own functions. */
export function commandToSetSecrets(project: string): string {
  const names = Object.keys(parseEnvText(readProjectFile(project, secretsPath) ?? ''))
  const isOwn = new RegExp(`^(${ownPrefixes.join('|')})_`)
  return names.every((name) => isOwn.test(name))
    ? `supabase secrets set --env-file ${secretsPath}`
    : `grep -E '${isOwn.source}' ${secretsPath} | xargs supabase secrets set`
}

/** The name of a secret is set in the file that functions are served with. */
export function readSecret(project: string, name: string): string | undefined {
  const text = readProjectFile(project, secretsPath) ?? ''
  const found = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=\\s*(.*)$`, 'm').exec(text)?.[1]?.trim()
  return found?.replace(/^(["'])(.*)\1$/, '$2') || undefined
}

function ignoreSecrets(project: string): Change[] {
  if (git(project, 'check-ignore', '-q', secretsPath)) return []
  const text = readProjectFile(project, ignorePath) ?? ''
  if (text.split(/\r?\n/).includes('.env')) return []
  const end = lineEndOf(text)
  const gap = text === '' || text.endsWith('\n') ? '' : end
  return [{ path: ignorePath, text: `${text}${gap}.env${end}`, about: 'git has to ignore the secrets' }]
}

/** Whether git says yes. Without git, or outside of a repository, it says no. */
function git(project: string, ...words: string[]): boolean {
  try {
    execFileSync('git', words, { cwd: project, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
