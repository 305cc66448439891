import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'

/** Builds the app in a folder, which stays as it is, and serves it until it is stopped. */
export async function serveApp(root: string): Promise<{ url: string; stop(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'askback-app-'))
  const options = { root, configFile: false as const, logLevel: 'error' as const }
  await build({ ...options, build: { target: 'es2022', outDir, emptyOutDir: true } })
  const server = await preview({ ...options, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    async stop() {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
