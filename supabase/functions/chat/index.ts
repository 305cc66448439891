import { serving } from '../../../shared/server/http/serving.ts'
import { words } from '../askback-words.ts'
import { createHandler } from './handler.ts'

Deno.serve(serving, createHandler(Deno.env.toObject(), words))
