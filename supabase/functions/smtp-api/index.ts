import { createApp, readDependencies } from './app.ts'

Deno.serve(createApp(readDependencies(Deno.env.toObject())).fetch)
