/** `npx tsx scripts/user-token.ts`: prints an access token of the running local stack's demo user, for curl. */
import { resolve } from 'node:path'
import { StartError } from '../local/process/start-error.ts'
import { readStack, signIn } from './call/running-stack.ts'

try {
  console.log(await signIn(readStack(resolve(process.env.ASKBACK_DATA_DIR || '.askback'))))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
