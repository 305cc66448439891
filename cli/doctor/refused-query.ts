/** A query that the database refused. */
export class RefusedQuery extends Error {
  /** The SQLSTATE, where one was given. */
  readonly code: string | undefined

  constructor(code: string | undefined, cause?: unknown) {
    super('The database refused a query.', { cause })
    this.code = code
  }
}

/** A query that was not answered in time. */
export const lateCode = 'late'

/** What to do about a query that the database did not answer, in words for people: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function describeRefusal(error: unknown): string {
  const code = (error as { code?: unknown }).code
  const known = Object.entries(sentences).find(([codes]) => codes.split(' ').includes(String(code)))
  if (known) return known[1]
  return `The database refused the query (${typeof code === 'string' && code ? code : 'without a code'}). Try again, and see its log.`
}

const sentences = {
  '42501': 'The role that doctor uses may not read it. Push the migrations: supabase db push',
  '42P01 42883 42703 3F000': 'Its schema is of another version. Push the migrations: supabase db push',
  [`57014 55P03 ${lateCode}`]: 'It took too long. Try again in a minute.',
  '53300 57P01 57P03 08006 CONNECTION_CLOSED CONNECTION_ENDED CONNECT_TIMEOUT':
    'The connection was lost. Try again in a minute.',
}
