import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvText } from '../../local/settings/env-text.ts'
import { createModelFromSettings } from '../../shared/engine/models/model-settings.ts'
import { presets } from '../../shared/engine/models/protocol/presets.ts'
import { readKeyring } from '../../shared/server/credentials/keyring.ts'
import { type Finding, fail, note, ok, patienceMs } from './finding.ts'
import type { Target } from './target.ts'

const secretsPath = 'supabase/functions/.env'
type Environment = Readonly<Record<string, string | undefined>>

/** The secrets of the functions: by name where they are deployed, with their values where they are in a file. */
export async function checkSecrets(project: string, { kind, secrets }: Target): Promise<Finding[]> {
  const path = join(project, secretsPath)
  const environment: Environment = {
    ...(existsSync(path) ? parseEnvText(readFileSync(path, 'utf8')) : {}),
    ...process.env,
  }
  const tracked = isTracked(project)
    ? [
        fail(
          `git tracks ${secretsPath}. Take it out (git rm --cached ${secretsPath}), and replace every secret in it.`,
        ),
      ]
    : []
  if (secrets) return [...tracked, ...checkDeployed(secrets)]
  const model = [await checkModel(environment, kind), ...(kind === 'database' ? checkReach(environment) : [])]
  return [...tracked, ...(await checkKeys(environment, kind)), ...model]
}

const makers = {
  ASKBACK_CREDENTIALS_KEYS: 'k1:$(openssl rand -base64 32)',
  ASKBACK_FUNCTION_SECRET: '$(openssl rand -base64 32)',
}

function checkDeployed(secrets: readonly string[]): Finding[] {
  const keys = Object.entries(makers).map(([name, maker]) =>
    secrets.includes(name)
      ? ok(`${name} is set`)
      : fail(`The functions have no ${name}. Set it: supabase secrets set ${name}="${maker}"`),
  )
  const models = modelVariables().filter((name) => secrets.includes(name))
  const model = models[0]
    ? ok(`A model is set by ${models[0]}; whether it answers cannot be seen from here`)
    : fail('The functions have no key for a model. Set one: supabase secrets set OPENAI_API_KEY=…')
  return [...keys, model]
}

async function checkKeys(environment: Environment, kind: Target['kind']): Promise<Finding[]> {
  // `askback dev` makes what is missing, for its machine alone.
  const missing = kind === 'database' ? fail : note
  const findings = Object.entries(makers).map(([name, maker]) =>
    environment[name]
      ? ok(`${name} is set`)
      : missing(`${secretsPath} has no ${name}. Make it: echo "${name}=${maker}" >> ${secretsPath}`),
  )
  if (!environment.ASKBACK_CREDENTIALS_KEYS) return findings
  try {
    await readKeyring(environment.ASKBACK_CREDENTIALS_KEYS)
  } catch {
    findings[0] = fail(
      'ASKBACK_CREDENTIALS_KEYS cannot be used. It has to be like id:base64, with 32 bytes, several separated by commas.',
    )
  }
  return findings
}

async function checkModel(environment: Environment, kind: Target['kind']): Promise<Finding> {
  const isSet = environment.LLM_PROVIDER || modelVariables().some((name) => environment[name])
  if (!isSet) {
    const sentence = `No model is set up. Put a key into ${secretsPath}, like OPENAI_API_KEY=…`
    return kind === 'database'
      ? fail(sentence)
      : note(`${sentence} Until then the demo model of \`askback dev\` answers.`)
  }
  try {
    const model = createModelFromSettings(environment)
    const { text } = await answerOf(model)
    return ok(`The model ${model.model} answers${text ? '' : ', if with nothing'}`)
  } catch (error) {
    return fail(`The model does not answer: ${sentenceOf(error)}`)
  }
}

/** A model that answers here, and not where functions are deployed. */
function checkReach(environment: Environment): Finding[] {
  const name = modelVariables().find((one) => {
    const address = environment[one] ?? ''
    return URL.canParse(address) && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname)
  })
  if (name === undefined) return []
  return [
    note(`${name} leads to this machine, which hosted functions cannot reach. Give them another address.`),
  ]
}

async function answerOf(model: ReturnType<typeof createModelFromSettings>): Promise<{ text: string }> {
  const signal = AbortSignal.timeout(patienceMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took longer than 5 s.')), { once: true })
  })
  const request = { messages: [{ role: 'user' as const, content: 'Answer with the word ok.' }], tools: [] }
  const reply = await Promise.race([model.complete(request, { signal }), late])
  return { text: reply.text ?? '' }
}

/** Its first line; the client has masked keys already. */
function sentenceOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

/** Variables that choose a model by themselves. */
function modelVariables(): string[] {
  return Object.values(presets).flatMap(({ variables }) => {
    const { apiKey, baseURL }: { apiKey?: string; baseURL?: string } = variables
    return [apiKey, baseURL].filter((name) => name !== undefined)
  })
}

function isTracked(project: string): boolean {
  try {
    execFileSync('git', ['ls-files', '--error-unmatch', secretsPath], {
      cwd: project,
      stdio: 'ignore',
      timeout: patienceMs,
    })
    return true
  } catch {
    return false
  }
}
