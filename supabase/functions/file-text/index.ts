import { readProjectSettings } from '../../../shared/server/authentication/project-settings.ts'
import { createApp } from './app.ts'

/** Loaded with the first document: it is large. */
const read = async (bytes: Uint8Array) => (await import('./pdf-text.ts')).readPdfText(bytes)

Deno.serve(createApp(readProjectSettings(Deno.env.toObject()), read).fetch)
