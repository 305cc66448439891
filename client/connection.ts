import type { FormSchema } from './message.ts'

/** An account that a user has connected. Contains no secrets. */
export interface Connection {
  id: string
  provider: string
  label: string
  account: string | null
  status: 'connected' | 'expiring' | 'expired' | 'failed' | 'disabled'
  /** Its position in the order in which tools try the connections. */
  position: number
  /** The values that were entered, without secrets. */
  values: Record<string, unknown>
  scopes?: string[]
  /** The permissions the user has granted, in words. */
  allowed?: string[]
  /** Tools that a missing permission switches off, and why. */
  unavailable?: { tool: string; reason: string }[]
  lastUsedAt: string | null
  lastError: string | null
  expiresAt?: string
}

export interface ConnectionChange {
  label?: string
  position?: number
  /** Fields to replace; omitted secrets stay, unless they would be sent to a different host. */
  values?: Record<string, unknown>
  /** A disabled connection is kept but not used. */
  disabled?: boolean
}

/** A service that can be connected. */
export interface Provider {
  id: string
  name: string
  description: string
  /** What kind of service it is: `search`. */
  service: string
  /** Names of the tools that use it. */
  tools: string[]
  /** The form; secret fields have `secret: true`. */
  connection: FormSchema
  /** Connected by signing in with the provider. */
  oauth: boolean
  /** false: sign-in is not set up on this server. */
  available?: boolean
  /** Works without a connection. */
  builtIn?: boolean
  connections: Connection[]
}

/** The effects of removing a connection. */
export interface RemovedConnection {
  deleted: string
  /** Agents that can no longer use these tools. */
  lost?: { id: string; name: string; tools: string[] }[]
  /** Whether the provider revoked the access; null if there was nothing to revoke. */
  revoked?: boolean | null
}
