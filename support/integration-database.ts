import type { ToolResult } from '../shared/engine/core/tool-error.ts'
import type { Write } from '../shared/engine/core/write.ts'
import { type IntegrationProvider, secretFields } from '../shared/integrations/definition/integration.ts'
import type { StoredConnection } from '../shared/server/connections/stored-connection.ts'
import { readKeyring } from '../shared/server/credentials/keyring.ts'
import { sealSecret } from '../shared/server/credentials/sealed-secret.ts'
import type { CallRpc } from '../shared/server/database/call-rpc.ts'
import { knownWrite } from './known-write.ts'

/** What an integration function asks PostgreSQL, answered in memory: one user's connection, and a ledger of writes. */
export interface IntegrationDatabase {
  rpc: CallRpc
  /** `ASKBACK_CREDENTIALS_KEYS` that the connection's secrets are sealed with. */
  credentialsKeys: string
}

interface Effect {
  write: Write
  deliveryId: string
  note: unknown
}

const credentialsKeys = `test:${btoa('k'.repeat(32))}`

export async function createIntegrationDatabase(
  userId: string,
  connection?: { provider: IntegrationProvider; values: Record<string, unknown> },
): Promise<IntegrationDatabase> {
  const connections = connection ? [await storeConnection(userId, connection)] : []
  const effects = new Map<string, Effect>()
  const deliver = (effect: Effect) => ({
    ...effect,
    providerKey: effect.write.idempotencyKey,
    effectStartedAt: new Date().toISOString(),
    connections,
  })

  const answers: Record<string, (args: never) => unknown> = {
    account_refusal: () => null,
    load_connections: () => connections,
    switched_off_reason: () => null,
    mark_connection: () => null,
    begin_oauth_refresh({ p_refused_version }: { p_refused_version?: number | null }) {
      const secret = connections[0]?.secrets.find(({ field }) => field === 'access_token')
      // A token that was refused cannot be replaced: there is nothing to get another one with.
      if (p_refused_version == null) return { kind: 'token', secret }
      return { kind: 'refresh', secret: null, accessVersion: p_refused_version }
    },
    fail_oauth_refresh: () => true,
    begin_effect({ p_effect }: { p_effect: { idempotencyKey?: string; deliveryId: string } }) {
      const { deliveryId, idempotencyKey = deliveryId } = p_effect
      const known = effects.get(idempotencyKey)
      // As in SQL: what failed provably did not happen; everything else runs once.
      if (known && known.write.status !== 'failed') return { proceed: false, write: known.write }
      const id = known?.write.id ?? crypto.randomUUID()
      const write = knownWrite({ id, idempotencyKey, status: 'running' })
      const effect = { write, deliveryId, note: known?.note ?? null }
      effects.set(idempotencyKey, effect)
      return { proceed: true, delivery: deliver(effect), earlierNote: null }
    },
    note_effect({ p_delivery_id, p_note }: { p_delivery_id: string; p_note: unknown }) {
      const effect = [...effects.values()].find(({ deliveryId }) => deliveryId === p_delivery_id)
      if (effect?.write.status !== 'running') return false
      effect.note = p_note
      return true
    },
    load_effect({ p_effect }: { p_effect: { idempotencyKey: string } }) {
      const effect = effects.get(p_effect.idempotencyKey)
      return effect ? deliver(effect) : null
    },
    call_off_effect({ p_delivery_id }: { p_delivery_id: string }) {
      const effect = [...effects.values()].find(({ deliveryId }) => deliveryId === p_delivery_id)
      if (!effect || effect.note !== null || !isOpen(effect)) return false
      effect.write.status = 'failed'
      return true
    },
    amend_note(change: { p_delivery_id: string; p_earlier: unknown; p_note: unknown }) {
      const effect = [...effects.values()].find(({ deliveryId }) => deliveryId === change.p_delivery_id)
      const isSame = JSON.stringify(effect?.note) === JSON.stringify(change.p_earlier)
      if (!effect || !isSame || !isOpen(effect)) return false
      effect.note = change.p_note
      return true
    },
    settle_invocation(end: { p_delivery_id: string; p_status: Write['status']; p_result: ToolResult }) {
      const effect = [...effects.values()].find(({ deliveryId }) => deliveryId === end.p_delivery_id)
      if (effect) Object.assign(effect.write, { status: end.p_status, result: end.p_result })
      return null
    },
  }
  return {
    credentialsKeys,
    rpc: async (name, args) => {
      const answer = answers[name]
      if (!answer) throw new Error(`Integration functions do not call ${name}.`)
      return answer(args as never)
    },
  }
}

function isOpen({ write: { status } }: Effect): boolean {
  return status === 'running' || status === 'unknown'
}

async function storeConnection(
  userId: string,
  { provider, values }: { provider: IntegrationProvider; values: Record<string, unknown> },
): Promise<StoredConnection> {
  const id = crypto.randomUUID()
  const keyring = await readKeyring(credentialsKeys)
  const fields = secretFields(provider).filter((field) => values[field] !== undefined)
  const secrets = await Promise.all(
    fields.map((field) =>
      sealSecret(
        keyring,
        { connectionId: id, userId, provider: provider.id },
        { field, value: String(values[field]), version: 1 },
      ),
    ),
  )
  const metadata = Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)))
  const granted = Object.values(provider.oauth?.scopes ?? {}).flat()
  return {
    id,
    provider: provider.id,
    label: provider.name,
    account: provider.oauth ? 'ada@example.com' : null,
    status: 'connected',
    scopes: provider.oauth ? granted : null,
    pinned: false,
    metadata,
    secrets,
  }
}
