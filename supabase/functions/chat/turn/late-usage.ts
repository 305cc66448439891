import type { RunSettings } from '../../../../shared/engine/loop/run/run-options.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import type { ChatDependencies } from './dependencies.ts'
import type { EntryBuffer } from './entry-buffer.ts'

/** What model servers say of a run's tokens after their answers, which are stored with an estimate. */
export interface LateUsages {
  add: NonNullable<RunSettings['onLateUsage']>
  /** The run is stored: corrects its estimates in the background, as what is awaited comes. */
  correct(): void
}

export function collectLateUsage(
  runId: string,
  buffer: Pick<EntryBuffer, 'entries'>,
  { rpc, keepAlive }: Pick<ChatDependencies, 'rpc' | 'keepAlive'>,
): LateUsages {
  const corrections: (() => Promise<void>)[] = []
  return {
    add(stepEnd, late) {
      corrections.push(async () => {
        const said = await late
        if (!said) return
        const { usage, cost } = said
        const p_used = { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens, costUsd: cost }
        const p_sequence = buffer.entries.indexOf(stepEnd)
        await rpc('correct_usage', { p_run_id: runId, p_sequence, p_used })
      })
    },
    correct() {
      for (const correction of corrections)
        keepAlive(correction().catch((error) => writeLog('usage-not-corrected', { runId }, error)))
    },
  }
}
