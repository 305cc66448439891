import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stands in for Supabase's management API, to which the real CLI deploys functions. */
export interface ManagementApi {
  /** What was uploaded: the text of each file, by function and by path. */
  uploads: Map<string, Map<string, string>>
  /** Flags and environment that make the CLI use it. */
  flags: string[]
  env: Record<string, string>
  close(): void
}

export async function startManagementApi(): Promise<ManagementApi> {
  const uploads: ManagementApi['uploads'] = new Map()
  const api = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = new Uint8Array(Buffer.concat(chunks))
    response.setHeader('content-type', 'application/json')
    const slug = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('slug')
    if (request.method === 'POST' && slug) {
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const form = await new Response(body, { headers }).formData()
      const files = new Map<string, string>()
      for (const file of form.getAll('file'))
        if (file instanceof File) files.set(file.name, await file.text())
      uploads.set(slug, files)
      response.statusCode = 201
      response.end(
        JSON.stringify({ id: crypto.randomUUID(), slug, name: slug, status: 'ACTIVE', version: 1 }),
      )
      return
    }
    response.end(request.method === 'GET' ? '[]' : JSON.stringify({ functions: [] }))
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const profile = join(await mkdtemp(join(tmpdir(), 'askback-deploy-')), 'profile.yaml')
  const urls = ['api_url', 'dashboard_url', 'docs_url'].map((key) => `${key}: ${address}`)
  await writeFile(profile, ['name: loopback', ...urls, 'project_host: 127.0.0.1', ''].join('\n'))
  return {
    uploads,
    flags: ['--use-api', '--project-ref', 'abcdefghijklmnopqrst', '--profile', profile],
    env: { SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`, SUPABASE_TELEMETRY_DISABLED: '1' },
    close: () => api.close(),
  }
}
