import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { StartError } from '../process/start-error.ts'
import { findFault } from './integration-fault.ts'

/**
 * The integrations of a project, by name: every functions folder that has an `integration.ts`.
 * @throws {StartError} when one cannot be loaded, or two have a tool or a provider of the same name
 */
export async function readIntegrations(functionsDirectory: string): Promise<Integration[]> {
  const names = readdirSync(functionsDirectory).filter((name) =>
    existsSync(join(functionsDirectory, name, 'integration.ts')),
  )
  const integrations = await Promise.all(
    names.sort().map((name) => readIntegration(functionsDirectory, name)),
  )
  refuseTwins('tool', integrations, ({ tools }) => tools.map(({ specification }) => specification.name))
  refuseTwins('provider', integrations, ({ providers }) => providers.map(({ id }) => id))
  return integrations
}

async function readIntegration(directory: string, name: string): Promise<Integration> {
  const file = `${name}/integration.ts`
  const path = join(directory, name, 'integration.ts')
  const module = await import(pathToFileURL(path).href).catch((cause) => {
    throw new StartError(`${file} cannot be read: ${sentenceOf(cause, directory, file)}`)
  })
  const fault = findFault(module.integration, name)
  if (fault !== undefined) throw new StartError(`${file} cannot be used: ${fault}`)
  return module.integration
}

/** What went wrong and in which line, without the compiler's excerpt and the stack trace. */
function sentenceOf(cause: unknown, directory: string, file: string): string {
  const { message, stack = '' } = cause instanceof Error ? cause : { message: String(cause) }
  const [, at, wrong] = /:(\d+):\d+: ERROR: (.*)/.exec(message) ?? []
  const line = at ?? /^\d+/.exec(stack.split(`${file}:`)[1] ?? '')?.[0]
  const sentence = (wrong ?? message.split('\n')[0] ?? '').trim() || 'it throws without a word'
  const words = sentence.replaceAll(`${directory}/`, '').replace(/[.:]?$/, '.')
  return `${line === undefined ? '' : `line ${line}: `}${words}`
}

function refuseTwins(
  what: string,
  integrations: readonly Integration[],
  namesOf: (integration: Integration) => string[],
): void {
  const owners = new Map<string, string>()
  for (const integration of integrations) {
    for (const name of namesOf(integration)) {
      const owner = owners.get(name)
      if (owner !== undefined) {
        const twice = owner === integration.name
        const twins = twice ? `${owner} has` : `${owner} and ${integration.name} both have`
        throw new StartError(
          `${twins} a ${what} "${name}"${twice ? ' twice' : ''}. Rename one of them in integration.ts.`,
        )
      }
      owners.set(name, integration.name)
    }
  }
}
