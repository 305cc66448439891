import { describe, expect, it } from 'vitest'
import { rotateSecrets } from '../../../cli/credentials/rotate-secrets.ts'
import { readKeyring } from '../../../shared/server/credentials/keyring.ts'
import { createStoredSignIns } from '../../../supabase/functions/mcp-client/sign-in/stored-sign-ins.ts'
import { createDatabaseRpc } from '../../../support/database-rpc.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()
const keyOf = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const store = (keys = keyOf('k1', 1)) => createStoredSignIns(createDatabaseRpc(db), () => readKeyring(keys))

const issuer = 'https://auth.example.com'
const registration = { client_id: 'client-1', client_secret: 'canary-secret', issuer }
const discovery = { authorizationServerUrl: issuer }
const server = 'https://mcp.example.com/mcp'
const grant = (n: number, expiresInSeconds = 3600) => ({
  server,
  discovery,
  registration,
  resource: server,
  accessToken: `canary-access-${n}`,
  refreshToken: `canary-refresh-${n}`,
  expiresInSeconds,
})
const makeState = () => `${crypto.randomUUID()}.${'s'.repeat(43)}`
const begin = async (userId: string, state = makeState()) => {
  const flow = {
    userId,
    server,
    verifier: 'canary-verifier',
    discovery,
    registration,
    returnTo: 'https://app.example',
  }
  await store().saveFlow(state, flow)
  return { state, flow }
}

describe('sign-ins with servers in the database', () => {
  it('keep no secret as it is', async () => {
    const user = await db.createUser()
    await store().saveRegistration(registration)
    const { state } = await begin(user)
    await store().receiveAnswer(state, { code: 'kept', answer: { code: 'canary-code' } })
    await store().saveGrant(user, grant(1))
    const rows = await database.sql`
      select row_to_json(r) from askback.server_registrations r
      union all select row_to_json(f) from askback.server_flows f where user_id = ${user}
      union all select row_to_json(g) from askback.server_grants g where user_id = ${user}`
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toMatch(/canary/)
  })

  it('know a registration by its issuer, until it is forgotten', async () => {
    await store().saveRegistration(registration)
    expect(await store().findRegistration(issuer)).toEqual(registration)
    expect(await store().findRegistration('https://other.example.com')).toBeUndefined()
    await store().forgetRegistration(issuer)
    expect(await store().findRegistration(issuer)).toBeUndefined()
  })

  it('end once, for the user who has begun them', async () => {
    const [ada, bob] = [await db.createUser(), await db.createUser()]
    const { state, flow } = await begin(ada)
    const answer = { code: 'canary-code', iss: issuer }
    expect(await store().receiveAnswer(makeState(), { code: 'other', answer })).toBeUndefined()
    expect(await store().receiveAnswer('not a state', { code: 'other', answer })).toBeUndefined()
    expect(await store().receiveAnswer(state, { code: 'ours', answer })).toBe('https://app.example')
    expect(await store().receiveAnswer(state, { code: 'again', answer })).toBeUndefined()
    expect(await store().takeFlow(ada, 'ours')).toEqual({ flow, answer })
    expect(await store().takeFlow(ada, 'ours')).toBeUndefined()
    const second = await begin(ada)
    await store().receiveAnswer(second.state, { code: 'second', answer })
    expect(await store().takeFlow(bob, 'second')).toBeUndefined()
    expect(await store().takeFlow(ada, 'second')).toBeUndefined()
    const third = await begin(ada)
    expect(await store().receiveAnswer(third.state)).toBe('https://app.example')
    expect(await store().receiveAnswer(third.state, { code: 'late', answer })).toBeUndefined()
  })

  it('give a token while it lasts, and the right to refresh it to one holder for 10 s', async () => {
    const user = await db.createUser()
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
    expect(await store().holdGrant(user, server, one)).toEqual({ kind: 'none' })
    await store().saveGrant(user, grant(1))
    expect(await store().holdGrant(user, server, one)).toEqual({
      kind: 'token',
      accessToken: 'canary-access-1',
    })
    const held = await store().holdGrant(user, server, one, 'canary-access-1')
    expect(held).toMatchObject({ kind: 'refresh', grant: grant(1) })
    expect(await store().holdGrant(user, server, two, 'canary-access-1')).toEqual({ kind: 'busy' })
    expect((await store().holdGrant(user, server, one, 'canary-access-1')).kind).toBe('refresh')
    const version = held.kind === 'refresh' ? held.version : 0
    expect(await store().renewGrant(user, grant(2), version)).toBe(true)
    expect(await store().renewGrant(user, grant(3), version)).toBe(false)
    expect(await store().holdGrant(user, server, two, 'canary-access-1')).toEqual({
      kind: 'token',
      accessToken: 'canary-access-2',
    })
    await store().holdGrant(user, server, one, 'canary-access-2')
    await database.sql`update askback.server_grants set lease_expires_at = now() where user_id = ${user}`
    expect((await store().holdGrant(user, server, two, 'canary-access-2')).kind).toBe('refresh')
  })

  it('refresh what ends within a minute, and forget what can be refreshed no more', async () => {
    const user = await db.createUser()
    const holder = crypto.randomUUID()
    await store().saveGrant(user, grant(1, 59))
    expect((await store().holdGrant(user, server, holder)).kind).toBe('refresh')
    await store().releaseGrant(user, server, crypto.randomUUID(), true)
    await store().releaseGrant(user, server, holder, false)
    expect((await store().holdGrant(user, server, crypto.randomUUID())).kind).toBe('refresh')
    await store().releaseGrant(user, server, holder, true)
    expect((await store().holdGrant(user, server, holder)).kind).toBe('busy')
    await store().saveGrant(user, grant(2))
    expect((await store().holdGrant(user, server, holder)).kind).toBe('token')
    await store().holdGrant(user, server, holder, 'canary-access-2')
    await store().releaseGrant(user, server, holder, true)
    expect(await store().holdGrant(user, server, holder)).toEqual({ kind: 'none' })
  })

  it('return what is removed, and are anybody else’s never', async () => {
    const [ada, bob] = [await db.createUser(), await db.createUser()]
    await store().saveGrant(ada, grant(1))
    expect(await store().removeGrant(bob, server)).toBeUndefined()
    await database.sql`
      insert into askback.server_grants (user_id, server, issuer, ciphertext, key_id, version, access_hash)
      select ${bob}, server, issuer, ciphertext, key_id, version, access_hash from askback.server_grants
      where user_id = ${ada}`
    expect(await store().holdGrant(bob, server, crypto.randomUUID())).toEqual({ kind: 'none' })
    expect(await store().removeGrant(ada, server)).toEqual(grant(1))
    expect(await store().removeGrant(ada, server)).toBeUndefined()
  })

  it('are put under the first of the keys with all other secrets', async () => {
    const user = await db.createUser()
    await store().saveGrant(user, grant(1))
    await store().saveRegistration(registration)
    const next = `${keyOf('k2', 2)},${keyOf('k1', 1)}`
    const outcome = await rotateSecrets(database.sql, await readKeyring(next), () => {})
    expect(outcome.rotated).toBeGreaterThanOrEqual(2)
    const alone = store(keyOf('k2', 2))
    expect(await alone.removeGrant(user, server)).toEqual(grant(1))
    expect(await alone.findRegistration(issuer)).toEqual(registration)
  })
})
