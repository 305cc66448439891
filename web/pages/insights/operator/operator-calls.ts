import { callFunction, type Method } from '../../../../client/function-call.ts'
import { useSession } from '../../../session.tsx'

/** A run without anything that was said in it. Times are ISO 8601. */
export interface RunFacts {
  runId: string
  userId: string
  status: string
  startedAt: string
  finishedAt: string | null
  resumeAt: string | null
  leaseExpiresAt: string
  /** Whether stopping it would end something. */
  stoppable: boolean
}

/** One thing that happened in a run: codes and times, nothing that was said. */
export interface Moment {
  runId: string
  at: string
  type: string
  durationMs?: number
  facts: Record<string, string | number | boolean | string[]>
}

export interface Stuck {
  runs: RunFacts[]
  /** Writes of which nobody knows whether they happened. */
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

/** A function of the app's database. */
export interface AppFunction {
  name: string
  arguments: string
  description: string | null
  effect: 'read' | 'write'
  /** The tool that it is. */
  tool: string | null
  /** Why it cannot be one. */
  refused: string | null
  /** Its arguments are others than when it was offered. */
  changed: boolean
}

/** Calls below `chat/operator`, as whoever is signed in. Rejects with a sentence. */
export function useOperatorCall() {
  const { supabase } = useSession()
  return <Answer>(method: Method, path: string, body?: object) =>
    callFunction<Answer>(supabase, method, `chat/operator/${path}`, body)
}
