import { expect, test } from 'vitest'
import { useDatabase } from '../../../support/use-database.ts'

const { database } = useDatabase()

// PostgreSQL before 18 plans the body of such a function anew in each query that calls it: half of a turn's time.
test('no function that reads is written in SQL, so that a connection plans it once', async () => {
  const found = await database.sql`
    select p.proname as name from pg_proc p
    join pg_language l on l.oid = p.prolang
    where p.pronamespace in ('askback'::regnamespace, 'askback_private'::regnamespace) and l.lanname = 'sql' and p.provolatile <> 'v'
    order by 1`
  expect(found.map(({ name }) => name)).toEqual([])
})
