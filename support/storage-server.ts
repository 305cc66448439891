import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'

/** Supabase Storage as far as one private bucket goes, with its statuses and bodies (storage-api 1.x). */
export interface StorageServer {
  url: string
  /** Bytes by name. */
  objects: Map<string, Uint8Array>
  /** Method and path of each request. */
  requests: string[]
  /** From now on it answers like a server that is down. */
  break(isBroken: boolean): void
  close(): Promise<void>
}

const bucket = 'askback-files'

export async function startStorageServer(serviceKey: string): Promise<StorageServer> {
  const objects = new Map<string, Uint8Array>()
  const requests: string[] = []
  let isBroken = false
  const app = new Hono().basePath('/storage/v1')
  // It says 400 of almost everything, and what it means in the body.
  const refuse = (statusCode: string, error: string, message: string) =>
    Response.json({ statusCode, error, message }, { status: 400 })

  app.use(async (c, next) => {
    requests.push(`${c.req.method} ${c.req.path}`)
    if (isBroken) return c.text('upstream connect error', 503)
    if (c.req.header('authorization') !== `Bearer ${serviceKey}` || c.req.header('apikey') !== serviceKey) {
      return refuse('403', 'Unauthorized', 'Invalid Compact JWS')
    }
    return await next()
  })
  app.post(`/object/list/${bucket}`, async (c) => {
    const { prefix, limit = 100, offset = 0 } = await c.req.json()
    const names = [...objects.keys()].filter((name) => name.startsWith(`${prefix}/`)).sort()
    return c.json(
      names.slice(offset, offset + limit).map((name) => ({ name: name.slice(prefix.length + 1) })),
    )
  })
  app.post(`/object/${bucket}/:folder/:name`, async (c) => {
    const name = `${c.req.param('folder')}/${c.req.param('name')}`
    if (objects.has(name) && c.req.header('x-upsert') !== 'true') {
      return refuse('409', 'Duplicate', 'The resource already exists')
    }
    objects.set(name, new Uint8Array(await c.req.arrayBuffer()))
    return c.json({ Key: `${bucket}/${name}`, Id: crypto.randomUUID() })
  })
  app.get(`/object/${bucket}/:folder/:name`, (c) => {
    const bytes = objects.get(`${c.req.param('folder')}/${c.req.param('name')}`)
    if (!bytes) return refuse('404', 'not_found', 'Object not found')
    return c.body(new Uint8Array(bytes))
  })
  app.delete(`/object/${bucket}`, async (c) => {
    const { prefixes } = await c.req.json()
    const found = (prefixes as string[]).filter((name) => objects.delete(name))
    return c.json(found.map((name) => ({ name, bucket_id: bucket })))
  })

  const server: Server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    break(broken) {
      isBroken = broken
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
