import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../../scripts/platform.ts'

/** A model in a process of its own that answers every request at once, with the settings for those who talk to it. */
export async function startStubModel() {
  const server = spawn(process.execPath, ['--import', 'tsx', 'lab/bench/stub-model-process.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(server.stdout, 'data')
  const settings = {
    LLM_PROVIDER: 'any',
    OPENAI_BASE_URL: `http://127.0.0.1:${String(port).trim()}/v1`,
    OPENAI_API_KEY: 'any',
    OPENAI_MODEL: 'stub',
  }
  return { settings, stop: () => void server.kill() }
}
