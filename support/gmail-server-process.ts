/** Started by `startGmailProcess`: the Gmail simulator, one JSON text per line on both sides, answers in order. */
import { createInterface } from 'node:readline'
import type { SimulatedFailure } from '../local/simulator/faults.ts'
import { startGmailServer } from './gmail-server.ts'

interface Question {
  scopes?: string[]
  plan?: { call: string; fault: SimulatedFailure }
  deliver?: string
}

const email = 'ada@example.com'
const server = await startGmailServer()
const box = server.mailbox(email)

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`)
}
process.exit(0)

function answer({ scopes, plan, deliver }: Question): object {
  if (scopes) {
    server.accounts.set('token', { email, scopes })
    return { url: server.url }
  }
  if (plan) {
    server.faults.plan(plan.call, plan.fault)
    return {}
  }
  if (deliver !== undefined) return { id: box.deliver(deliver).id }
  const sent = box.sent.map(({ id, raw }) => ({ id, raw: raw.toString('base64') }))
  return { sent, drafts: box.drafts.size, calls: server.faults.calls.splice(0) }
}
