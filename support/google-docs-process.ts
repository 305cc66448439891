import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface GoogleDocsState {
  documents: { id: string; name: string; markdown: string }[]
  /** Mails that told somebody of a shared document. */
  mails: number
}

export interface RemoteGoogleDocs {
  url: string
  /** The next POST whose path fits is carried out, and its answer is lost. */
  loseAnswer(path: string): Promise<unknown>
  inspect(): Promise<GoogleDocsState>
}

/**
 * Google Docs in a Node process, for tests under Deno, whose `node:http` cannot cut connections on 2.1. It ends when
 * its input does, that is with the process that started it.
 */
export async function startGoogleDocsProcess(): Promise<RemoteGoogleDocs> {
  const program = fileURLToPath(new URL('./google-docs-server-process.ts', import.meta.url))
  const loader = new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url).href
  const child = spawn('node', ['--import', loader, program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => JSON.parse((await lines.next()).value)
  const ask = async (question: object): Promise<GoogleDocsState> => {
    child.stdin.write(`${JSON.stringify(question)}\n`)
    return await read()
  }
  const { url } = await read()
  return { url, loseAnswer: (path) => ask({ lose: path }), inspect: () => ask({}) }
}
