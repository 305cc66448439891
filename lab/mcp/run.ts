/**
 * `npm run lab -- mcp`: the conformance suite of MCP against our client and against our transport, then clients as others
 * publish them against the product, these two through two processes on both Denos that take turns, and servers as others publish
 * them in chats in a browser. `--only client`, `suite`, `clients` or `servers` runs one of them. Prints a line for each frozen set,
 * client and server, and what failed; exit code 1 if anything did. Linux on x64 only.
 */
import { parseArgs } from 'node:util'
import { startStack } from '../../support/stack.ts'
import { runClientConformance } from './client-conformance.ts'
import { runClients } from './clients/run-clients.ts'
import { runConformance } from './conformance.ts'
import { installPackages } from './packages.ts'
import { runServers } from './servers/run-servers.ts'

const parts = {
  client: runClientConformance,
  suite: runConformance,
  clients: runClients,
  servers: runServers,
}
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const chosen = Object.entries(parts).filter(([name]) => values.only === undefined || values.only === name)
if (chosen.length === 0) {
  console.error(`There is no part "${values.only}". These are: ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
await installPackages()
const stop = new AbortController()
const stack = await startStack()
try {
  for (const [, part] of chosen) {
    if (!(await part(stack, stop.signal))) process.exitCode = 1
  }
} finally {
  stop.abort()
  await stack.stop()
}
