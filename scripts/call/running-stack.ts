import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StackFile } from '../../local/data-directory/stack-file.ts'
import { StartError } from '../../local/process/start-error.ts'

/**
 * What a running stack says about itself.
 * @throws {StartError} when none is running
 */
export function readStack(dataDirectory: string): StackFile {
  const path = join(dataDirectory, 'stack.json')
  if (!existsSync(path)) throw notRunning(dataDirectory)
  return JSON.parse(readFileSync(path, 'utf8'))
}

function notRunning(dataDirectory: string): StartError {
  return new StartError(
    `The local stack is not running (with the data directory ${dataDirectory}). Start it with npm start in another terminal, or set ASKBACK_DATA_DIR to that of the one that runs.`,
  )
}

/** The access token of the demo user, valid for an hour. */
export async function signIn(stack: StackFile): Promise<string> {
  const answer = await ask(stack, '/auth/v1/token?grant_type=password', { body: stack.demoUser })
  const { access_token } = (await answer.json()) as { access_token?: string }
  if (!access_token) throw new StartError('The demo user cannot sign in. Stop the stack and start it again.')
  return access_token
}

/** A request to the stack: a POST if there is a body. */
export async function ask(
  { url, publishableKey }: StackFile,
  path: string,
  { token, body }: { token?: string; body?: unknown },
): Promise<Response> {
  const headers = {
    apikey: publishableKey,
    'accept-profile': 'askback',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  return await fetch(`${url}${path}`, init).catch(() => {
    throw new StartError(`The local stack does not answer at ${url}. Start it again with npm start.`)
  })
}
