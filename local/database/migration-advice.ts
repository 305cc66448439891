/** What to do about messages of PostgreSQL that come from where a migration runs, rather than from what it says. */
const advice: readonly [RegExp, string][] = [
  [
    /^schema "askback" already exists/,
    'This database has an Askback that its migrations know nothing of, like one that `askback remove` took out of the project. Start with an empty database: npx askback dev --reset',
  ],
  [
    /^extension "[^"]+" is not available/,
    '`askback dev` has only the extensions that ship with PostgreSQL. Put this one into a block that first looks into pg_available_extensions, or use a database that has it: set DATABASE_URL.',
  ],
  [
    /^(?:relation|schema|function) "?(?:storage|realtime|cron|net|vault|pgmq|graphql)\b.* does not exist/,
    '`askback dev` has no Storage, Realtime, Vault, pg_cron or pg_net. Put this into a block that first asks whether it is there: to_regclass(…) is not null.',
  ],
]

/** A line of its own; empty if there is none. */
export function adviceOn(message: string): string {
  const found = advice.find(([pattern]) => pattern.test(message))
  return found ? `\n${found[1]}` : ''
}
