/** What the conformance suite of MCP expects of a server, behind our own transport. */
import { createApp } from '../../../supabase/functions/mcp/app.ts'
import { readDependencies } from '../../../supabase/functions/mcp/dependencies.ts'
import { service } from './service.ts'

declare const Deno: {
  serve(handler: (request: Request) => Response | Promise<Response>): void
  env: { toObject(): Record<string, string> }
}

const env = Deno.env.toObject()
const dependencies = readDependencies(env)
const streamMs = Number(env.streamMs ?? dependencies.streamMs)
Deno.serve(createApp({ ...dependencies, streamMs }, service).fetch)
