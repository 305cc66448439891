import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { node } from '../packages.ts'
import type { Asked, CallResult, Client, ListedTool, Reply } from './client.ts'
import { talk } from './talk.ts'

/** Starts a client that is a library: a program of the folder `programs`, with its arguments, in a Node that all of them know. */
export function startProgram(name: string, ...args: string[]): Client {
  const path = fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url))
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', path, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exit = once(child, 'exit')
  const byUser = {
    consent: async (_page: string): Promise<string> => '',
    onAsked: async (_asked: Asked): Promise<Reply> => ({ action: 'decline' }),
  }
  const complaints: string[] = []
  const ask = talk(child, {
    complained: async (words: string) => void complaints.push(words),
    consent: (page: string) => byUser.consent(page),
    asked: (asked: Asked) => byUser.onAsked(asked),
  })
  return {
    complaints,
    async signIn(url, consent) {
      byUser.consent = consent
      return (await ask('signIn', url)) as string
    },
    async connect(entry, onAsked) {
      byUser.onAsked = onAsked
      await ask('connect', entry)
    },
    tools: async () => (await ask('tools')) as ListedTool[],
    call: async (tool, given) => (await ask('call', tool, given)) as CallResult,
    async end() {
      child.kill()
      await exit
    },
  }
}
