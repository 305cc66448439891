import { z } from 'zod'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { schemaVersion } from '../../../shared/server/version.ts'

/** Milliseconds that the database has to answer. */
const patienceMs = 2000
/** Milliseconds for which an answer is good: anybody may ask, as often as they like. */
const freshMs = 1000

/** Says whether the database answers, and accepts this version of the code. Requests that come together share one question to it. */
export function createHealthCheck(rpc: CallRpc): () => Promise<boolean> {
  let asked = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return () => {
    if (Date.now() - asked > freshMs) {
      asked = Date.now()
      answer = answersInTime(rpc)
    }
    return answer
  }
}

const versionSchema = z.object({ accepts: z.array(z.number()) })

async function answersInTime(rpc: CallRpc): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs)
  })
  const answered = rpc('version', {}).then(
    (answer) => versionSchema.parse(answer).accepts.includes(schemaVersion),
    () => false,
  )
  return await Promise.race([answered, tooLate]).finally(() => clearTimeout(timer))
}
