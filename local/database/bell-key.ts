import type { Sql } from 'postgres'
import { makeBellKey } from '../../shared/server/credentials/destination-secret.ts'
import { readKeyring } from '../../shared/server/credentials/keyring.ts'

/** Makes the key of the bell, so that a destination can be written before the chat function has run. */
export async function prepareBell(sql: Sql, credentialsKeys: string): Promise<void> {
  // A project that has not upgraded yet has no bell.
  const [schema] = await sql`select to_regclass('askback.bell_key') is not null as "hasBell"`
  if (!schema?.hasBell) return
  const [known] = await sql`select from askback.bell_key`
  if (known) return
  const { modulus, sealed } = await makeBellKey(await readKeyring(credentialsKeys))
  await sql`insert into askback.bell_key (modulus, sealed) values (${modulus}, ${sealed}) on conflict do nothing`
}
