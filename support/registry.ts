import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A registry of npm over plain http. */
export interface Registry {
  url: string
  /** The files of its own packages that were fetched, in this order, like `askback-0.1.0.tgz`. */
  fetched: string[]
  close(): void
}

interface Packed {
  filename: string
  integrity: string
  shasum: string
}

/**
 * Starts a registry that has the packages of these folders, packed and published just now, and passes all other requests
 * on to the registry that npm is set up for.
 */
export async function startRegistry(folders: readonly string[]): Promise<Registry> {
  const store = mkdtempSync(join(tmpdir(), 'askback-registry-'))
  const [{ stdout: configured }, { stdout: packed }] = await Promise.all([
    run('npm', ['config', 'get', 'registry']),
    run('npm', ['pack', ...folders, '--pack-destination', store, '--json']),
  ])
  const others = configured.trim()
  const published = new Date().toISOString()
  const packages = (JSON.parse(packed) as Packed[]).map((file, index) => ({
    ...file,
    manifest: JSON.parse(readFileSync(join(folders[index] ?? '', 'package.json'), 'utf8')),
  }))
  const fetched: string[] = []
  const server = createServer(
    async ({ url = '/', method = 'GET', headers: { accept = '*/*' } }, response) => {
      const file = packages.find(({ filename }) => url === `/files/${filename}`)
      const versions = packages.filter(({ manifest }) => url === `/${manifest.name}`)
      if (file) {
        fetched.push(file.filename)
        response.end(readFileSync(join(store, file.filename)))
      } else if (versions.length > 0) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(describe(versions)))
      } else if (method === 'GET') {
        const { status, body, headers } = await fetch(new URL(`.${url}`, others), { headers: { accept } })
        response.writeHead(status, { 'content-type': headers.get('content-type') ?? 'application/json' })
        Readable.fromWeb(body as ReadableStream).pipe(response)
      } else {
        response.writeHead(404).end()
      }
    },
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** What a registry says of a package. */
  const describe = (versions: typeof packages) => ({
    name: versions[0]?.manifest.name,
    'dist-tags': { latest: versions.at(-1)?.manifest.version },
    time: Object.fromEntries(versions.map(({ manifest }) => [manifest.version, published])),
    versions: Object.fromEntries(
      versions.map(({ manifest, filename, integrity, shasum }) => {
        const dist = { tarball: `${address}/files/${filename}`, integrity, shasum }
        return [manifest.version, { ...manifest, dist }]
      }),
    ),
  })
  return {
    url: address,
    fetched,
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(store, { recursive: true })
    },
  }
}
