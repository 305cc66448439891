import { readProjectSettings } from '../../../shared/server/authentication/project-settings.ts'
import { createRpc } from '../../../shared/server/database/call-rpc.ts'
import { createApp } from './app.ts'
import { readInThread } from './read-in-thread.ts'

/**
 * Supabase has no threads: there the platform itself ends a process that takes too much. The library is loaded with the
 * first document, because it is large.
 */
const readHere = async (bytes: Uint8Array<ArrayBuffer>) => (await import('./pdf-text.ts')).readPdfText(bytes)
const hasThreads = typeof Worker === 'function' && !Deno.env.get('SB_REGION')

const settings = readProjectSettings(Deno.env.toObject())
Deno.serve(createApp(settings, createRpc(settings), hasThreads ? readInThread : readHere).fetch)
