import type { z } from 'zod'
import type { RefusalCode } from './refusals.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One route of a function: what it reads and what it answers. The function reads requests by it, the web client has its
 * types from it, and `docs/api.md` and `openapi.json` are made of it.
 */
export interface Route {
  method: Method
  /** With the function's name in front, parameters like `:id`. */
  path: `/${string}`
  /** The section of the docs that it stands in. */
  group: string
  /** What it does, as a short sentence without a full stop. */
  summary: string
  /** What is worth knowing besides. */
  notes?: string
  /** Who may call it. */
  caller: 'user' | 'operator' | 'token' | 'clock' | 'link' | 'anybody'
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The body may be left out. */
  isBodyOptional?: true
  /** HTTP status of the answer, 200 where nothing is said. */
  status?: 201 | 202 | 303
  /** The JSON that it answers. Functions never build it: only the docs and the tests check answers. */
  answer?: () => z.ZodType
  /** Of an answer that is not JSON, or of a second form: its media type, and what it is. */
  media?: Readonly<Record<string, string>>
  /** What can be refused besides what every route of its kind refuses. */
  refusals?: { readonly [Code in RefusalCode]?: number }
}

export function defineRoute<const One extends Route>(route: One): One {
  return route
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
export type ParamsOf<One extends Route> = Output<One['params']>
export type QueryOf<One extends Route> = Output<One['query']>
export type BodyOf<One extends Route> = Output<One['body']>
/** The JSON of a route's answer. */
export type AnswerOf<One extends Route> = One['answer'] extends () => infer Schema ? Output<Schema> : never

/** Makes a schema of an answer when it is first asked for. */
export function once<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined
  return () => {
    made ??= make()
    return made
  }
}
