import type { FormSchema } from './message.ts'

/** An account that a user has connected. Nothing secret is in it. */
export interface Connection {
  id: string
  provider: string
  label: string
  account: string | null
  status: 'connected' | 'expiring' | 'expired' | 'failed' | 'disabled'
  /** Its place in the order in which tools try several. */
  position: number
  /** What was entered, without the secrets. */
  values: Record<string, unknown>
  scopes?: string[]
  /** What the user has allowed, in words. */
  allowed?: string[]
  /** What a missing permission switches off, and why. */
  unavailable?: { tool: string; reason: string }[]
  lastUsedAt: string | null
  lastError: string | null
  expiresAt?: string
}

export interface ConnectionChange {
  label?: string
  position?: number
  /** Fields to replace; secrets that are left out stay, unless they would go to another place. */
  values?: Record<string, unknown>
  /** Switched off, it stays as it is and is not used. */
  disabled?: boolean
}

/** What can be connected. */
export interface Provider {
  id: string
  name: string
  description: string
  /** Names of the tools that use it. */
  tools: string[]
  /** The form; secret fields have `secret: true`. */
  connection: FormSchema
  /** Connected by signing in at the provider. */
  oauth: boolean
  /** false: signing in there is not set up on this server. */
  available?: boolean
  /** Works without a connection. */
  builtIn?: boolean
  connections: Connection[]
}

/** What went with a connection. */
export interface RemovedConnection {
  deleted: string
  /** Agents that can no longer use these tools. */
  lost?: { id: string; name: string; tools: string[] }[]
  /** Whether the provider has ended the access; null where there is nothing to end. */
  revoked?: boolean | null
}
