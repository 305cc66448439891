import { expect, test } from 'vitest'
import { z } from 'zod'
import { id, optional, withWords } from '../../../shared/api/field-words.ts'
import { parseRequest } from '../../../shared/server/http/parse-request.ts'

const body = z
  .object({
    name: z
      .string()
      .min(1)
      .max(20)
      .meta({ examples: ['Ada'] }),
    note: optional(z.string().max(5)),
    rating: z.enum(['good', 'bad']).nullable().optional(),
    place: z.int().min(0).max(9).optional(),
    pinned: z.boolean().optional(),
    agents: optional(z.array(id())),
    at: optional(z.iso.datetime()),
    values: withWords(z.record(z.string(), z.unknown()).optional(), {
      expected: 'an object with the fields',
    }),
    card: withWords(z.string().optional(), { instead: 'Take it from "pending".' }),
  })
  .refine(({ name }) => name !== 'Eve', { params: { why: 'item_unnamed' } })

const refusedWith = (given: unknown) => {
  try {
    return parseRequest(body, given)
  } catch (error) {
    const { status, code, message } = error as { status: number; code: string; message: string }
    return `${status} ${code}: ${message}`
  }
}

test.each<[unknown, string]>([
  [[], 'The request body must be a JSON object, not an empty list.'],
  [undefined, 'The request body is missing. Send a JSON object.'],
  [{}, '"name" is missing. Send a text of 1 to 20 characters, such as "Ada".'],
  [{ name: null }, '"name" must be a text of 1 to 20 characters, such as "Ada", not null.'],
  [
    { name: 'x'.repeat(200) },
    '"name" must be a text of 1 to 20 characters, such as "Ada", not a text of 200 characters.',
  ],
  [{ name: 'A', note: 'longer' }, '"note" must be a text of at most 5 characters, not "longer".'],
  [{ name: 'A', rating: 'fair' }, '"rating" must be "good" or "bad", or null, not "fair".'],
  [{ name: 'A', place: 1.5 }, '"place" must be a whole number from 0 to 9, not 1.5.'],
  [{ name: 'A', pinned: null }, '"pinned" must be true or false, not null.'],
  [{ name: 'A', agents: [{}] }, '"agents[0]" must be an id, not an object.'],
  [{ name: 'A', at: 'soon' }, '"at" must be a time in ISO 8601, not "soon".'],
  [{ name: 'A', values: 'x' }, '"values" must be an object with the fields, not "x".'],
  [{ name: 'A', card: 5 }, '"card" must be a text, not 5. Take it from "pending".'],
  [{ name: 'Eve' }, '"itemId" is missing. Take it from "pending".'],
])('%j is refused with what must stand there', (given, sentence) => {
  expect(refusedWith(given)).toBe(`400 bad_request: ${sentence}`)
})

test('what is null or not declared is as good as left out', () => {
  const agent = '0C9F5C0E-6B1B-4B64-9D0A-3B7B5F3B2A11'
  expect(refusedWith({ name: 'A', note: null, agents: [agent], unknown: 1 })).toEqual({
    name: 'A',
    agents: [agent.toLowerCase()],
  })
})

test('a fault can have a status and a code of its own', () => {
  const refusal = {
    status: 404,
    code: 'token_not_found',
    message: 'You have no token with this id.',
  } as const
  const params = z.object({ id: withWords(id(), { refusal: refusal.code }) })
  expect(() => parseRequest(params, { id: 'none' })).toThrow(expect.objectContaining(refusal))
})
