import type { Row } from 'postgres'

/** The project as far as it can be reached. */
export interface Target {
  /** `files`: nothing runs. */
  kind: 'files' | 'dev' | 'database' | 'linked'
  /** The address of its services. */
  url?: string
  publishableKey?: string
  /** Names of the secrets of its functions. */
  secrets?: readonly string[]
  /** Its functions. */
  functions?: readonly DeployedFunction[]
  /** Runs a statement that changes nothing. */
  query?: Query
  close(): Promise<void>
}

export interface DeployedFunction {
  slug: string
  verify_jwt?: boolean
}

export type Query = (statement: string) => Promise<readonly Row[]>
