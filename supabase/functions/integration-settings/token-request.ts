import { z } from 'zod'
import { ApiError } from '../../../shared/server/http/api-error.ts'

/** What a token is to be: what it is called, what it opens, and until when. */
export interface TokenRequest {
  name: string
  /** Ids of agents; absent: all that the user has, now and later. */
  agents?: string[]
  /** ISO 8601. */
  expiresAt?: string
}

const idSchema = z.guid()

/** Reads `POST /tokens`. Throws ApiError 400. */
export function readTokenRequest(body: Record<string, unknown>): TokenRequest {
  const { agents, expiresAt } = body
  const name = typeof body.name === 'string' ? body.name.trim() : ''
  if (name === '' || name.length > 200) {
    throw bad('`name` is missing: a text of at most 200 characters, such as "Open WebUI".')
  }
  return {
    name,
    ...(agents === undefined || agents === null ? {} : { agents: readAgents(agents) }),
    ...(expiresAt === undefined || expiresAt === null ? {} : { expiresAt: readMoment(expiresAt) }),
  }
}

/** An id of a path; one that is none belongs to no token. Throws ApiError 404. */
export function readTokenId(id: string): string {
  if (idSchema.safeParse(id).success) return id.toLowerCase()
  throw new ApiError(404, 'token_not_found', 'You have no token with this id.')
}

function readAgents(agents: unknown): string[] {
  const read = z.array(idSchema).min(1).max(100).safeParse(agents)
  if (read.success) return [...new Set(read.data.map((id) => id.toLowerCase()))]
  throw bad('`agents` is a list of ids of agents. Leave it out for all of them.')
}

function readMoment(value: unknown): string {
  const moment = z.iso.datetime({ offset: true }).safeParse(value)
  if (!moment.success) throw bad('`expiresAt` is a moment such as "2027-01-31T12:00:00Z".')
  if (Date.parse(moment.data) <= Date.now()) throw bad(`\`expiresAt\` (${moment.data}) is in the past.`)
  return moment.data
}

function bad(sentence: string): ApiError {
  return new ApiError(400, 'bad_request', sentence)
}
