import { z } from 'zod'
import type { Keyring } from '../../../../shared/server/credentials/keyring.ts'
import {
  openSecret,
  SecretError,
  type SecretOwner,
  sealSecret,
} from '../../../../shared/server/credentials/sealed-secret.ts'
import {
  flowOwner,
  grantOwner,
  nobody,
  registrationOwner,
} from '../../../../shared/server/credentials/server-secrets.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { hashCode } from '../../../../shared/server/oauth/one-time-code.ts'
import type { Answer, Flow, Grant, Registration, SignInStore } from './store.ts'

const sealed = z.object({ ciphertext: z.string(), keyId: z.string(), version: z.number() })
type Sealed = z.infer<typeof sealed>
const held = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['busy', 'none']) }),
  z.object({ kind: z.enum(['token', 'refresh']), issuer: z.string(), secret: sealed }),
])
const taken = z.object({ id: z.string(), flow: sealed, answer: sealed }).nullable()
const removed = z.object({ issuer: z.string(), secret: sealed }).nullable()

/** Sign-ins in the database, each secret bound to whose it is and what it is for. */
export function createStoredSignIns(rpc: CallRpc, openKeyring: () => Promise<Keyring>): SignInStore {
  async function seal(owner: SecretOwner, field: string, value: unknown, version: number): Promise<Sealed> {
    const secret = { field, value: JSON.stringify(value), version }
    const { ciphertext, keyId } = await sealSecret(await openKeyring(), owner, secret)
    return { ciphertext, keyId, version }
  }

  /** Undefined if the operator has removed its key, or somebody has moved it: then it is made again. */
  async function open<Value>(owner: SecretOwner, field: string, secret: Sealed): Promise<Value | undefined> {
    try {
      return JSON.parse(await openSecret(await openKeyring(), owner, { field, ...secret }))
    } catch (cause) {
      if (cause instanceof SecretError) return undefined
      throw cause
    }
  }

  async function describe(userId: string, grant: Grant, version: number) {
    const { server, registration, accessToken, expiresInSeconds } = grant
    const { issuer } = registration
    const secret = await seal(grantOwner(userId, server, issuer), 'grant', grant, version)
    return {
      server,
      issuer,
      secret,
      accessHash: await hashCode(accessToken),
      accessSeconds: expiresInSeconds,
    }
  }

  return {
    async findRegistration(issuer) {
      const asked = rpc('find_server_registration', { p_issuer: issuer })
      const found = await askDatabase(asked, sealed.nullable(), 'sign_in_not_started')
      return found ? await open<Registration>(registrationOwner(issuer), 'registration', found) : undefined
    },
    async saveRegistration(registration) {
      const { issuer } = registration
      const secret = await seal(registrationOwner(issuer), 'registration', registration, Date.now())
      await rpc('save_server_registration', { p_issuer: issuer, p_secret: secret })
    },
    async forgetRegistration(issuer) {
      await rpc('forget_server_registration', { p_issuer: issuer })
    },

    async saveFlow(state, flow) {
      const id = flowOf(state)
      const secret = await seal(flowOwner(id), 'flow', flow, 1)
      const begun = { id, returnTo: flow.returnTo, stateHash: await hashCode(state), secret }
      await rpc('begin_server_sign_in', { p_user_id: flow.userId, p_flow: begun })
    },
    async receiveAnswer(state, ours) {
      const id = flowOf(state)
      const asked = rpc('receive_server_sign_in', {
        p_flow_id: id,
        p_state_hash: await hashCode(state),
        p_code_hash: ours ? await hashCode(ours.code) : null,
        p_answer: ours ? await seal(flowOwner(id), 'answer', ours.answer, 1) : null,
      })
      return (await askDatabase(asked, z.string().nullable(), 'not_connected')) ?? undefined
    },
    async takeFlow(userId, code) {
      const asked = rpc('take_server_sign_in', {
        p_user_id: userId,
        p_code_hash: await hashCode(code),
        p_taker: crypto.randomUUID(),
      })
      const found = await askDatabase(asked, taken, 'not_connected')
      if (!found) return undefined
      const flow = await open<Flow>(flowOwner(found.id), 'flow', found.flow)
      const answer = await open<Answer>(flowOwner(found.id), 'answer', found.answer)
      return flow && answer && { flow, answer }
    },

    async saveGrant(userId, grant) {
      await rpc('save_server_grant', {
        p_user_id: userId,
        p_grant: await describe(userId, grant, Date.now()),
      })
    },
    async holdGrant(userId, server, holder, refused) {
      const asked = rpc('hold_server_grant', {
        p_user_id: userId,
        p_server: server,
        p_holder: holder,
        p_refused: refused === undefined ? null : await hashCode(refused),
      })
      const found = await askDatabase(asked, held, 'not_done')
      if (!('secret' in found)) return { kind: found.kind }
      const { kind, issuer, secret } = found
      const grant = await open<Grant>(grantOwner(userId, server, issuer), 'grant', secret)
      if (!grant) return { kind: 'none' }
      return kind === 'token'
        ? { kind, accessToken: grant.accessToken, scope: grant.scope }
        : { kind, grant, version: secret.version }
    },
    async renewGrant(userId, grant, version) {
      const newer = await describe(userId, grant, Math.max(version + 1, Date.now()))
      return (
        (await rpc('renew_server_grant', { p_user_id: userId, p_grant: newer, p_version: version })) === true
      )
    },
    async releaseGrant(userId, server, holder, isOver) {
      const lease = { p_user_id: userId, p_server: server, p_holder: holder, p_is_over: isOver }
      await rpc('release_server_grant', lease)
    },
    async removeGrant(userId, server) {
      const asked = rpc('remove_server_grant', { p_user_id: userId, p_server: server })
      const found = await askDatabase(asked, removed, 'not_done')
      return found
        ? await open<Grant>(grantOwner(userId, server, found.issuer), 'grant', found.secret)
        : undefined
    },
  }
}

/** A state begins with the id of its flow; any other text is the state of none. */
function flowOf(state: string): string {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\./.exec(state)?.[1] ?? nobody
}
