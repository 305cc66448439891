import type {
  Answer,
  Flow,
  Grant,
  Registration,
  SignInStore,
} from '../supabase/functions/mcp-client/sign-in/store.ts'

interface Held {
  grant: Grant
  version: number
  expiresAt: number
  holder?: string | undefined
}

/** Sign-ins of one process, as the database keeps them. `now` in milliseconds. */
export function createSignInMemory(
  now: () => number = Date.now,
): SignInStore & { grants: Map<string, Held> } {
  const registrations = new Map<string, Registration>()
  const flows = new Map<string, Flow>()
  const answers = new Map<string, { flow: Flow; answer: Answer }>()
  const grants = new Map<string, Held>()
  const keyOf = (userId: string, server: string) => JSON.stringify([userId, server])
  const hold = (grant: Grant, version: number): Held => ({
    grant,
    version,
    expiresAt: now() + (grant.expiresInSeconds ?? Number.POSITIVE_INFINITY) * 1000,
  })
  return {
    grants,
    findRegistration: async (issuer) => registrations.get(issuer),
    async saveRegistration(registration) {
      registrations.set(registration.issuer, registration)
    },
    async forgetRegistration(issuer) {
      registrations.delete(issuer)
    },
    async saveFlow(state, flow) {
      flows.set(state, flow)
    },
    async receiveAnswer(state, ours) {
      const flow = flows.get(state)
      flows.delete(state)
      if (flow && ours) answers.set(ours.code, { flow, answer: ours.answer })
      return flow?.returnTo
    },
    async takeFlow(userId, code) {
      const taken = answers.get(code)
      answers.delete(code)
      return taken?.flow.userId === userId ? taken : undefined
    },
    async saveGrant(userId, grant) {
      const key = keyOf(userId, grant.server)
      grants.set(key, hold(grant, (grants.get(key)?.version ?? 0) + 1))
    },
    async holdGrant(userId, server, holder, refused) {
      const held = grants.get(keyOf(userId, server))
      if (!held) return { kind: 'none' }
      const { grant, version, expiresAt } = held
      if (grant.accessToken !== refused && expiresAt > now() + 60_000) {
        return { kind: 'token', accessToken: grant.accessToken, scope: grant.scope }
      }
      if (held.holder !== undefined && held.holder !== holder) return { kind: 'busy' }
      held.holder = holder
      return { kind: 'refresh', grant, version }
    },
    async renewGrant(userId, grant, version) {
      const key = keyOf(userId, grant.server)
      if (grants.get(key)?.version !== version) return false
      grants.set(key, hold(grant, version + 1))
      return true
    },
    async releaseGrant(userId, server, holder, isOver) {
      const key = keyOf(userId, server)
      const held = grants.get(key)
      if (held?.holder !== holder) return
      if (isOver) grants.delete(key)
      else held.holder = undefined
    },
    async removeGrant(userId, server) {
      const key = keyOf(userId, server)
      const grant = grants.get(key)?.grant
      grants.delete(key)
      return grant
    },
  }
}
