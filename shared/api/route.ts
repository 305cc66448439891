import type { z } from 'zod'
import type { RefusalCode } from './refusals.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * One route of a function: its request and its answer. The function parses requests with it, the web client derives its
 * types from it, and `docs/api.md` and `openapi.json` are generated from it.
 */
export interface Route {
  method: Method
  /** Starts with the function's name; parameters are like `:id`. */
  path: `/${string}`
  /** The section of the docs that it belongs to. */
  group: string
  /** What it does, as a short sentence without a full stop. */
  summary: string
  /** Further details. */
  notes?: string
  /** Who may call it. */
  caller: 'user' | 'operator' | 'token' | 'clock' | 'link' | 'item-link' | 'anybody'
  /** It decides, grants, connects, makes a token or deletes: a project can require a second factor for that. */
  decides?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** For a body that is not JSON: its media types and descriptions. */
  upload?: Readonly<Record<string, string>>
  /** The body is optional. */
  isBodyOptional?: true
  /** HTTP status of the answer, 200 by default. */
  status?: 201 | 202 | 303
  /** The JSON of its answer. Functions never build it: only the docs and the tests check answers. */
  answer?: () => z.ZodType
  /** When it answers 204, with no body, instead. */
  orEmpty?: string
  /** For an answer that is not JSON, or a second form: its media type and description. */
  media?: Readonly<Record<string, string>>
  /** Its refusals besides those of every route of its kind. */
  refusals?: readonly RefusalCode[]
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
