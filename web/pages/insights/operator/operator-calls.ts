import { callFunction, type Method } from '../../../../client/function-call.ts'
import { useSession } from '../../../session.tsx'

/** A run without its content. Times are ISO 8601. */
export interface RunFacts {
  runId: string
  userId: string
  status: string
  startedAt: string
  finishedAt: string | null
  resumeAt: string | null
  leaseExpiresAt: string
  /** Whether there is anything to stop. */
  stoppable: boolean
}

/** An event in a run: codes and times, no content. */
export interface Moment {
  runId: string
  at: string
  type: string
  durationMs?: number
  facts: Record<string, string | number | boolean | string[]>
}

export interface Stuck {
  runs: RunFacts[]
  /** Writes whose outcome is unknown. */
  writes: {
    runId: string | null
    userId: string
    toolName: string
    attempt: number
    startedAt: string
  }[]
}

export interface SharedTool {
  name: string
  title: string | null
  enabled: boolean
  /** Why it is switched off. */
  reason: string | null
}

/** How much may be used: by everybody (`subject` null), or by one user or agent. */
export interface UsageLimit {
  scope: 'user' | 'agent' | 'project'
  subject: string | null
  measure: string
  per: string | null
  tool: string | null
  value: number
}

/** A function of the app's database. */
export interface AppFunction {
  name: string
  arguments: string
  description: string | null
  effect: 'read' | 'write'
  /** The tool it is offered as. */
  tool: string | null
  /** Why it cannot be offered. */
  refused: string | null
  /** Its arguments have changed since it was offered. */
  changed: boolean
}

/** Calls the routes below `chat/operator` as the signed-in user. Rejects with a sentence. */
export function useOperatorCall() {
  const { supabase } = useSession()
  return <Answer>(method: Method, path: string, body?: object) =>
    callFunction<Answer>(supabase, method, `chat/operator/${path}`, body)
}
