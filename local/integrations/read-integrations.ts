import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Integration } from '../../shared/integrations/definition/integration.ts'
import { StartError } from '../start-error.ts'

/**
 * The integrations of a project: every folder of its functions that holds an `integration.ts`, by name.
 * @throws {StartError} when one cannot be read, or two have a tool or a provider of the same name
 */
export async function readIntegrations(functionsDirectory: string): Promise<Integration[]> {
  const names = readdirSync(functionsDirectory).filter((name) =>
    existsSync(join(functionsDirectory, name, 'integration.ts')),
  )
  const integrations = await Promise.all(
    names.sort().map((name) => readIntegration(functionsDirectory, name)),
  )
  refuseTwins(
    'tool',
    integrations.flatMap(({ tools }) => tools.map(({ specification }) => specification.name)),
  )
  refuseTwins(
    'provider',
    integrations.flatMap(({ providers }) => providers.map(({ id }) => id)),
  )
  return integrations
}

async function readIntegration(directory: string, name: string): Promise<Integration> {
  const path = join(directory, name, 'integration.ts')
  const { integration } = (await import(pathToFileURL(path).href).catch((cause) => {
    throw new StartError(`${name}/integration.ts cannot be read: ${cause.message}`)
  })) as { integration?: Integration }
  if (!integration) throw new StartError(`${name}/integration.ts exports no "integration".`)
  if (integration.name !== name) {
    throw new StartError(
      `${name}/integration.ts is named "${integration.name}". Name it like its folder, "${name}".`,
    )
  }
  return integration
}

function refuseTwins(what: string, names: string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) !== index)
  if (twin !== undefined)
    throw new StartError(`Two integrations have a ${what} "${twin}". Rename one of them.`)
}
