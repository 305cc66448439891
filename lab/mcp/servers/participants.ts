import { fileURLToPath } from 'node:url'
import { chromiumPath } from '../../../scripts/chromium.ts'

/** A server as others publish it. */
export interface Participant {
  packageName: string
  /** Before the names of its tools here. */
  name: string
  /** One without a port of its own speaks stdio, and is behind the bridge. */
  args(place: Place): string[]
  env?(place: Pick<Place, 'folder'>): Record<string, string>
  /** How it is told its port, if it speaks HTTP. */
  port?: 'PORT' | '--port'
  calls: readonly ServerCall[]
}

export interface Place {
  /** A folder of its own. */
  folder: string
  port: number
  /** A page on this machine. */
  page: string
}

/** What the user is asked to approve, and what its result holds. */
export interface ServerCall {
  tool: string
  args(place: Place): Record<string, unknown>
  holds: string
}

const browser = chromiumPath ?? 'chromium'

export const participants: readonly Participant[] = [
  {
    packageName: '@modelcontextprotocol/server-everything',
    name: 'everything',
    args: () => ['streamableHttp'],
    port: 'PORT',
    calls: [
      { tool: 'echo', args: () => ({ message: 'Hello from Askback' }), holds: 'Hello from Askback' },
      { tool: 'get-sum', args: () => ({ a: 19, b: 23 }), holds: '42' },
      { tool: 'get-structured-content', args: () => ({ location: 'Chicago' }), holds: 'temperature' },
      { tool: 'trigger-elicitation-request', args: () => ({}), holds: 'cannot wait' },
      { tool: 'get-tiny-image', args: () => ({}), holds: 'file_id' },
    ],
  },
  {
    packageName: '@playwright/mcp',
    name: 'playwright',
    args: ({ port }) => [
      ...['--port', `${port}`, '--headless', '--isolated', '--no-sandbox'],
      ...['--executable-path', browser, '--allowed-hosts', '*'],
    ],
    port: '--port',
    calls: [{ tool: 'browser_navigate', args: ({ page }) => ({ url: page }), holds: 'A small page' }],
  },
  {
    packageName: '@modelcontextprotocol/server-filesystem',
    name: 'files',
    args: ({ folder }) => [folder],
    calls: [
      {
        tool: 'write_file',
        args: ({ folder }) => ({ path: `${folder}/note.txt`, content: 'Milk' }),
        holds: 'note.txt',
      },
      { tool: 'read_text_file', args: ({ folder }) => ({ path: `${folder}/note.txt` }), holds: 'Milk' },
    ],
  },
  {
    packageName: '@modelcontextprotocol/server-memory',
    name: 'memory',
    args: () => [],
    env: ({ folder }) => ({ MEMORY_FILE_PATH: `${folder}/memory.jsonl` }),
    calls: [
      {
        tool: 'create_entities',
        args: () => ({ entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] }),
        // It answers with those that it did not know.
        holds: 'entities',
      },
    ],
  },
  {
    packageName: '@modelcontextprotocol/server-sequential-thinking',
    name: 'thinking',
    args: () => [],
    calls: [
      {
        tool: 'sequentialthinking',
        args: () => ({
          thought: 'First, look.',
          nextThoughtNeeded: false,
          thoughtNumber: 1,
          totalThoughts: 1,
        }),
        holds: 'thoughtNumber',
      },
    ],
  },
  {
    packageName: 'chrome-devtools-mcp',
    name: 'devtools',
    args: () => [
      ...['--headless', '--isolated', '--executablePath', browser, '--chromeArg=--no-sandbox'],
      '--no-usage-statistics',
    ],
    calls: [{ tool: 'new_page', args: ({ page }) => ({ url: page }), holds: 'selected' }],
  },
]

export const bridge = fileURLToPath(new URL('programs/bridge.ts', import.meta.url))
