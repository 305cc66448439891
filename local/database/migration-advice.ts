import type postgres from 'postgres'

type Refusal = Pick<postgres.PostgresError, 'code' | 'file' | 'message'>

const absentSchemas = '(?:storage|realtime|cron|net|vault|pgmq|graphql)'

/** What to do about errors of PostgreSQL that come from where a migration runs, rather than from what it says. */
const advice: { codes: string[]; applies: (refusal: Refusal) => boolean; sentence: string }[] = [
  {
    // duplicate_schema
    codes: ['42P06'],
    applies: ({ message }) => /\baskback\b/.test(message),
    sentence:
      'This database has an Askback that its migrations know nothing of, like one that `askback remove` took out of the project. Start with an empty database: npx askback dev --reset',
  },
  {
    // feature_not_supported, for whatever PostgreSQL lacks; its source file says that it is an extension
    codes: ['0A000'],
    applies: ({ file }) => file === 'extension.c',
    sentence:
      '`askback dev` has only the extensions that ship with PostgreSQL. Put this one into a block that first looks into pg_available_extensions, or use a database that has it: set DATABASE_URL.',
  },
  {
    // invalid_schema_name, undefined_table
    codes: ['3F000', '42P01'],
    applies: ({ code, message }) =>
      new RegExp(`\\b${absentSchemas}${code === '3F000' ? '\\b' : '\\.'}`).test(message),
    sentence:
      '`askback dev` has no Storage, Realtime, Vault, pg_cron or pg_net. Put this into a block that first asks whether it is there: to_regclass(…) is not null.',
  },
  {
    // insufficient_privilege
    codes: ['42501'],
    applies: ({ message }) =>
      /event trigger|must be owner of (?:relation|table) |foreign-data wrapper/.test(message),
    sentence:
      'Hosted, the extension supautils lets `postgres` create event triggers and foreign servers, and change triggers and policies of tables like auth.users. `askback dev` has no supautils: put this into a block with `exception when insufficient_privilege`, or set DATABASE_URL to use a PostgreSQL of your own as its superuser.',
  },
]

/** A line of its own; empty if there is none. Of a message only names count: the rest may be in any language. */
export function adviceOn(refusal: Refusal): string {
  const found = advice.find(({ codes, applies }) => codes.includes(refusal.code) && applies(refusal))
  return found ? `\n${found.sentence}` : ''
}
