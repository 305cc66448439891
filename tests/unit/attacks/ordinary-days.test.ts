import { expect, test } from 'vitest'
import type { QuestionEntry, UserPart } from '../../../shared/engine/transcript/entry.ts'
import { startScenario } from '../../../support/agent-scenario.ts'
import { callTool, callTools, type ModelServerReply, say } from '../../../support/model-server.ts'
import { type Answers, shippedTools } from '../../../support/shipped-tools.ts'

/** What a person asks for on one day, what the model then does, and what the tools it uses must have done. */
interface Day {
  name: string
  says: string | UserPart[]
  does: ModelServerReply[]
  answers?: Answers
  /** Edits some approvals before the button is pressed. */
  edits?: (question: QuestionEntry) => Record<string, unknown> | undefined
  /** How often each tool runs on this day. */
  runs: Record<string, number>
  approvals: number
}

const found = Array.from({ length: 10 }, (_, n) => `https://museum-${n}.example/hours`)
const links = Array.from({ length: 8 }, (_, n) => `https://letter.example/story-${n}`)
const people = ['ann', 'ben', 'cem', 'dan', 'eva'].map((name) => `${name}@example.com`)
const searching: Answers = {
  web_search: () => ({ results: found.map((url) => ({ title: 'Hours', url, snippet: 'Open.' })) }),
  scrape_and_summarize: ({ urls }) => ({
    pages: (urls as string[]).map((url) => ({ url, summary: 'Open.' })),
  }),
}
const reading: Answers = {
  gmail_read_emails: () => ({
    messages: people.map((from, n) => ({
      id: `m${n}`,
      thread_id: `t${n}`,
      from,
      subject: 'Hello',
      body: '…',
    })),
  }),
}
const readPages = (...urls: string[]) => callTool('scrape_and_summarize', { urls })
const readMails = callTool('gmail_read_emails', { query: 'is:unread', include_body: true })
const reply = (n: number, body: string) =>
  callTool('gmail_send_email', {
    to: [people[n]],
    subject: 'Re: Hello',
    body,
    reply_to_message_id: `m${n}`,
  })
const pdf: UserPart = { type: 'file', mediaType: 'application/pdf', filename: 'plan.pdf', file_id: 'f1' }
const words = 'Which museums are open? Read the best three.'

const days: Day[] = [
  {
    name: 'ten search results and three links',
    says: words,
    does: [callTool('web_search', { query: 'museums' }), readPages(...found.slice(0, 3)), say('These.')],
    answers: searching,
    runs: { web_search: 1, scrape_and_summarize: 1 },
    approvals: 0,
  },
  {
    name: 'the same with an attached PDF',
    says: [{ type: 'text', text: words }, pdf],
    does: [
      callTool('web_search', { query: 'museums' }),
      readPages(found[0] ?? ''),
      readPages(found[1] ?? ''),
      readPages(found[2] ?? ''),
      say('These.'),
    ],
    answers: searching,
    runs: { web_search: 1, scrape_and_summarize: 3 },
    approvals: 1,
  },
  {
    name: 'eight newsletter links',
    says: 'What is in the newsletter of today? Read all of it.',
    does: [
      readMails,
      callTools(links.map((url): [string, unknown] => ['scrape_and_summarize', { urls: [url] }])),
      say('Eight stories.'),
    ],
    answers: { gmail_read_emails: () => ({ messages: [{ id: 'm1', body: links.join('\n') }] }) },
    runs: { scrape_and_summarize: 8 },
    approvals: 1,
  },
  {
    name: 'five replies with two redrafts',
    says: 'Answer my unread mails.',
    does: [readMails, ...people.map((_, n) => reply(n, 'Long, and kind.')), say('Answered.')],
    answers: reading,
    edits: ({ arguments: args }) =>
      ['m1', 'm3'].includes(String(args.reply_to_message_id)) ? { ...args, body: 'Short.' } : undefined,
    runs: { gmail_send_email: 5 },
    approvals: 5,
  },
  {
    name: 'six typos in a document',
    says: 'Correct the typos in the document doc-12345.',
    does: [
      callTool('docs_read_document', { document_id: 'doc-12345' }),
      ...['a', 'b', 'c'].map((find) =>
        callTool('docs_replace_text', { document_id: 'doc-12345', find, replace: 'x' }),
      ),
      callTools(
        ['d', 'e', 'f'].map((find): [string, unknown] => [
          'docs_replace_text',
          { document_id: 'doc-12345', find, replace: 'x' },
        ]),
      ),
      say('Six.'),
    ],
    runs: { docs_replace_text: 6 },
    approvals: 1,
  },
  {
    name: 'the weekly report',
    says: 'Write the weekly report like the last one.',
    does: [
      callTool('docs_search', { query: 'weekly report' }),
      callTool('docs_read_document', { document_id: 'doc-12345' }),
      callTool('docs_create_document', { title: 'Weekly report', content: '# This week' }),
      callTool('docs_append_text', { document_id: 'doc-67890', text: 'All is well.' }),
      say('Written.'),
    ],
    runs: { docs_create_document: 1, docs_append_text: 1 },
    approvals: 1,
  },
  {
    name: 'three label batches',
    says: 'Sort my inbox into bills, travel and the rest.',
    does: [
      callTool('gmail_search_emails', { query: 'in:inbox' }),
      ...['Bills', 'Travel', 'Rest'].map((label_name) =>
        callTool('gmail_manage_labels', { action: 'apply', label_name, message_ids: ['m1', 'm2'] }),
      ),
      callTool('gmail_email_actions', { action: 'archive', message_ids: ['m1', 'm2'] }),
      say('Sorted.'),
    ],
    runs: { gmail_manage_labels: 3, gmail_email_actions: 1 },
    approvals: 1,
  },
  {
    name: 'a mail to three',
    says: `Invite ${people.slice(0, 3).join(', ')} to lunch.`,
    does: [
      callTool('smtp_send_email', { to: people.slice(0, 3), subject: 'Lunch', body: 'At noon?' }),
      say('Invited.'),
    ],
    runs: { smtp_send_email: 1 },
    approvals: 1,
  },
  {
    name: 'a briefing from five sites and a mail',
    says: `Read ${found.slice(0, 5).join(' ')} and mail a briefing to ann@example.com.`,
    does: [
      readPages(...found.slice(0, 5)),
      callTool('smtp_send_email', { to: ['ann@example.com'], subject: 'Briefing', body: 'All open.' }),
      say('Sent.'),
    ],
    answers: searching,
    runs: { scrape_and_summarize: 1, smtp_send_email: 1 },
    approvals: 1,
  },
  {
    name: 'five rows of a function of the application',
    says: 'Add the five receipts: taxi 10, train 20, lunch 30, hotel 40, tram 50.',
    does: [
      callTools(
        ['taxi', 'train', 'lunch', 'hotel', 'tram'].map((what, n): [string, unknown] => [
          'add_expense',
          { what, euros: 10 * (n + 1) },
        ]),
      ),
      say('Added.'),
    ],
    runs: { add_expense: 5 },
    approvals: 5,
  },
]

/** Lives through a day, saying yes to everything; how often that was. */
async function live({ says, does, answers = {}, edits, runs }: Day): Promise<number> {
  const tools = shippedTools(answers)
  await using scenario = await startScenario({ stream: false, tools, script: does })
  let response = await scenario.run({ input: says, files: new Map([['f1', { text: 'The plan.' }]]) })
  let transcript = response.transcript
  let approvals = 0
  while (response.status === 'needs_approval') {
    const questions = transcript.filter((entry) => entry.type === 'question')
    const approval = (response.pending ?? []).map(({ toolCallId, approvalId = '' }) => {
      const question = questions.findLast((one) => one.toolCallId === toolCallId)
      const input = question && edits?.(question)
      return { toolCallId, approvalId, decision: 'approve' as const, ...(input ? { input } : {}) }
    })
    approvals += approval.length
    response = await scenario.resume({ transcript, approval })
    transcript = [...transcript, ...response.transcript]
  }
  expect(response.status).toBe('completed')
  const done = tools.filter(({ specification }) => specification.name in runs)
  expect(Object.fromEntries(done.map((tool) => [tool.specification.name, tool.runs.length]))).toEqual(runs)
  return approvals
}

test('ten ordinary days cost no more approvals than people stand', async () => {
  const counted = new Map<string, number>()
  for (const day of days) counted.set(day.name, await live(day))
  const total = [...counted.values()].reduce((sum, approvals) => sum + approvals, 0)
  console.table(Object.fromEntries([...counted, ['together', total]]))
  expect(Object.fromEntries(counted)).toEqual(
    Object.fromEntries(days.map(({ name, approvals }) => [name, approvals])),
  )
  expect(total).toBeLessThanOrEqual(18)
})
