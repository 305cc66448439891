import { serving } from '../../../shared/server/http/serving.ts'
import { createApp } from './app.ts'
import { readDependencies } from './turn/dependencies.ts'

declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined

const keepAlive = (work: Promise<unknown>) => {
  if (typeof EdgeRuntime !== 'undefined') EdgeRuntime?.waitUntil(work)
}

Deno.serve(serving, createApp(readDependencies(Deno.env.toObject(), keepAlive)).fetch)
