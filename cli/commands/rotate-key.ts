import { KeyringError } from '../../shared/server/credentials/keyring.ts'
import type { Call, ExitCode } from '../command/command.ts'
import { Refusal } from '../command/refusal.ts'
import { rotateKeys } from '../credentials/rotate-keys.ts'
import { readSecret, secretsPath } from '../project/env-files.ts'
import { findRunningStack } from '../project/running-stack.ts'

/** `askback rotate-key [--db-url URL]`: puts every stored secret under the first of the project's keys. */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const running = findRunningStack(project)?.databaseUrl
  const url = call.valueOf('db-url') ?? (process.env.DATABASE_URL || running)
  if (!url) {
    throw new Refusal('There is no database: name it with --db-url, or start `npx askback dev` first.')
  }
  const keys = process.env.ASKBACK_CREDENTIALS_KEYS || readSecret(project, 'ASKBACK_CREDENTIALS_KEYS')
  if (!keys) {
    throw new Refusal(`ASKBACK_CREDENTIALS_KEYS is neither in ${secretsPath} nor set for this command.`)
  }
  const code = await rotateKeys(url, keys).catch((error) => {
    if (error instanceof KeyringError || error.code !== undefined) throw new Refusal(error.message)
    throw error
  })
  if (url === running)
    console.log(
      '`askback dev` reads its keys when it starts: if they have changed since, start it again now.',
    )
  return code
}
