import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { environment } from '../../../scripts/platform.ts'
import { commandOf, node } from '../packages.ts'
import type { CallResult, Client, Entry, ListedTool } from './client.ts'

/** What it ends with where a tool has answered with an error. */
const toolError = 5

/** MCP's Inspector as a command line, which begins anew for each call and asks its user nothing. */
export function startInspector(): Client {
  let entry: Entry | undefined
  let running: ChildProcess | undefined

  async function run(method: string, ...words: string[]): Promise<unknown> {
    const { url = '', token } = entry ?? {}
    const child = spawn(
      node,
      [
        ...[commandOf('@modelcontextprotocol/inspector'), '--cli', '--format', 'json', '--transport', 'http'],
        ...['--server-url', url, '--header', `authorization: Bearer ${token}`],
        ...['--method', method, ...words],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: environment },
    )
    running = child
    const ended = once(child, 'close')
    const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    if (code === 0 || (code === toolError && said !== '')) return JSON.parse(said).result
    throw new Error(`It has ended with ${code}: ${complaint}`)
  }

  return {
    complaints: [],
    async connect(given) {
      entry = given
    },
    async tools() {
      // It ends with an error if other clients may not understand the schema of a tool.
      const { tools } = (await run('tools/list', '--strict')) as { tools: ListedTool[] }
      return tools
    },
    call: async (tool, args) =>
      (await run(
        'tools/call',
        ...['--tool-name', tool, '--tool-args-json', JSON.stringify(args)],
      )) as CallResult,
    async end() {
      running?.kill()
    },
  }
}
