import { canonicalJson } from '../shared/engine/core/canonical-json.ts'
import type { ToolSpecification } from '../shared/engine/core/tool-specification.ts'
import { saysSomethingNew } from '../shared/engine/loop/consent/new-since.ts'
import type { Claim } from '../shared/engine/loop/run/ledger.ts'
import { meaningOf } from '../shared/engine/loop/run/sameness.ts'
import { type Answer, type DatabaseCalls, write } from './database-calls.ts'

type Arguments = Record<string, unknown>

const text = { type: 'string' }

/** Its recipients must come from the user, and its question names the subject. */
export const mailTool: ToolSpecification = {
  name: 'smtp_send_email',
  description: 'Sends.',
  effect: 'write',
  repliesTo: 'answers',
  confirm: 'Send "{subject}" to {to}?',
  parameters: {
    type: 'object',
    properties: {
      to: { type: 'array', items: text, source: 'conversation' },
      cc: { type: 'array', items: text, source: 'conversation' },
      subject: text,
      body: text,
      answers: text,
    },
  },
}

/** Whose own addresses are no recipients. */
const user = { email: 'me@example.com', accounts: ['me@work.example'] }

/** A write as the loop describes it to the ledger. */
export function writeOf(tool: ToolSpecification, args: Arguments, facts: Arguments = {}): Arguments {
  const meaning = meaningOf(tool, args, user)
  return write({ toolName: tool.name, arguments: args, argumentHash: canonicalJson(args), meaning, ...facts })
}

/** Claims as the loop does: again, if what the call says is new. */
export function claimWrite(
  db: DatabaseCalls,
  { runId }: Answer,
  tool: ToolSpecification,
  args: Arguments,
  facts: Arguments = {},
): Promise<Answer> {
  return insist(tool, args, (more) =>
    db.call('claim_invocation', runId, writeOf(tool, args, { ...facts, ...more })),
  )
}

/** The same for any ledger. */
export async function insist<T extends Answer | Claim>(
  tool: ToolSpecification,
  args: Arguments,
  ask: (more: { newSince?: string }) => Promise<T>,
): Promise<T> {
  let more = {}
  for (;;) {
    const found = await ask(more)
    const { otherWords, write } = (found as Answer).earlier ?? {}
    if (!otherWords || !saysSomethingNew(tool, args, otherWords)) return found
    more = { newSince: write.at }
  }
}
