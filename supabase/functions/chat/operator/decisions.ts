import { z } from 'zod'
import { argumentHash } from '../../../../shared/engine/core/canonical-json.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { DecisionEntry } from '../../../../shared/engine/transcript/entry.ts'
import { askDatabase } from '../../../../shared/server/database/ask-database.ts'
import type { CallRpc } from '../../../../shared/server/database/call-rpc.ts'
import { questionSchema } from '../entries/stored-entry.ts'
import type { Act } from './act.ts'

/** Decisions in one answer. */
const limit = 1000

const rowSchema = z.object({
  time: z.string(),
  runId: z.string(),
  sequence: z.number(),
  userId: z.string(),
  agentId: z.string().nullable(),
  decision: z.custom<DecisionEntry>(isObject),
  question: questionSchema.nullable(),
  hash: z.string().nullable(),
  status: z.string().nullable(),
  approvedBy: z.array(z.record(z.string(), z.unknown())).nullable(),
})
type Row = z.infer<typeof rowSchema>

interface Page {
  lines: object[]
  /** Where the next page begins; undefined if this is the last one. */
  after: string | undefined
}

/** What people have decided since a time (ISO 8601), oldest first, one page. Throws ApiError. */
export async function exportDecisions(
  rpc: CallRpc,
  act: Act,
  since: string,
  after: string | undefined,
): Promise<Page> {
  const [time, runId, sequence] = after?.split('~') ?? []
  const p_after = after === undefined ? null : { time, runId, sequence: Number(sequence) }
  const asked = rpc('decisions_since', { p_act: act, p_since: since, p_after, p_limit: limit })
  const rows = await askDatabase(asked, z.array(rowSchema), 'not_looked_up')
  const last = rows.length === limit ? rows.at(-1) : undefined
  return {
    lines: await Promise.all(rows.map(lineOf)),
    after: last && `${last.time}~${last.runId}~${last.sequence}`,
  }
}

/** A page as JSON Lines. `url`: of the request. */
export function asLines({ lines, after }: Page, { searchParams }: URL): Response {
  const next = new URLSearchParams(searchParams)
  if (after !== undefined) next.set('after', after)
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store',
      // Relative to the address of the request, which a function does not know from outside.
      ...(after === undefined ? {} : { link: `<?${next}>; rel="next"` }),
    },
  })
}

async function lineOf({ time, userId, agentId, decision, question, hash, status, approvedBy }: Row) {
  const { itemId, by, shown, input } = decision
  const call = input ?? question?.arguments
  return {
    time,
    itemId,
    toolName: question?.toolName ?? null,
    userId,
    agentId,
    decision: decision.decision,
    who: {
      userId: by?.door === 'link' ? undefined : (by?.approver ?? userId),
      name: by?.name,
    },
    door: by?.door ?? 'app',
    sentence: shown?.sentence ?? null,
    language: shown?.language ?? null,
    argumentHash: hash ?? (call ? await argumentHash(call) : null),
    outcome: status,
    approvers: question?.approvers && { who: question.approvers.who, group: question.approvers.group },
    approvedBy: approvedBy ?? undefined,
  }
}
