import { isObject } from '../../shared/engine/core/json-value.ts'
import { withoutMark } from '../../shared/engine/core/question-mark.ts'
import { type DemoAnswer, type DemoCall, parseObject, type Step } from './conversation.ts'
import {
  asksForEmail,
  quotedAfter,
  readAddresses,
  readTopic,
  saysWhat,
  writeLetter,
  writeTitle,
} from './letter.ts'
import { readLetters } from './letters.ts'

/** One thing that the demo model can do. */
export interface Skill {
  /** An example of a request. */
  suggestion: string
  /** Completes "I can’t … here" and "OK, I didn’t …". */
  deed: string
  /** Tools that can do it; the first one that the agent has is used by default. */
  tools: readonly string[]
  asks(said: string): boolean
  /** Whether a message can be the answer to a question about it. */
  answers?(said: string): boolean
  /** How one of several calls ended, if a request can ask for several. */
  tell?(done: Step): string
  /** What to call or say next, after the steps that succeeded. */
  next(turn: DemoTurn): DemoAnswer
  /** What the user has said by parameter, in a request and since, to fill the slots of a corrected call. */
  values(request: string, texts: readonly string[]): Record<string, unknown>
}

interface DemoTurn {
  /** What the user asked for. */
  request: string
  /** The request and what the user has said since. */
  texts: readonly string[]
  /** Ids of the files of the newest message with files. */
  fileIds: readonly string[]
  tool: string
  /** Whether the tool was never called in this conversation. */
  isFirst: boolean
  /** How often the tool has succeeded in this conversation. */
  timesDone: number
  steps: readonly Step[]
}

const email: Skill = {
  suggestion: 'Send an email about the meeting to ada@example.com',
  deed: 'send the email',
  tools: ['smtp_send_email', 'gmail_send_email'],
  asks: (said) => asksForEmail(said) || readLetters(said).length > 0,
  // "Send the email to ada@example.com" answers, another email with a topic of its own does not.
  answers: (said) =>
    readAddresses(said).to.length > 0 &&
    !(asksForEmail(said) && saysWhat(said)) &&
    readLetters(said).length === 0,
  tell: reportMail,
  next({ request, texts, fileIds, tool, isFirst, timesDone, steps }) {
    const done = steps.at(-1)
    // On purpose, too: this is how an agent that has lost track sends twice.
    if (done && timesDone === 1 && repeatsItself(request)) return { calls: [inOtherWords(done.call)] }
    if (done) return { text: reportMail(done) }
    const attachments = fileIds.map((file_id) => ({ file_id }))
    const files = attachments.length > 0 && asksForFiles(request) ? { attachments } : {}
    const several = readLetters(request)
    if (several.length > 0)
      return { calls: several.map((letter) => ({ name: tool, arguments: { ...letter, ...files } })) }
    const letter = writeLetter(request)
    // The recipient is left out on purpose: the demo shows how an incomplete call is corrected.
    const to = isFirst ? {} : listRecipients(texts)
    return { calls: [{ name: tool, arguments: { ...to, ...letter, ...files } }] }
  },
  values: (request, texts) =>
    readLetters(request).length > 0
      ? listRecipients(texts.slice(1))
      : { ...writeLetter(request), ...listRecipients(texts) },
}

const createDocument: Skill = {
  suggestion: 'Create a document about the summer party',
  deed: 'create the document',
  tools: ['docs_create_document'],
  asks: (said) => asksTo(/\b(?:create|write|make|start|draft)\b/i, /\b(?:document|doc|note)\b/i, said),
  next({ request, tool, steps }) {
    const done = steps.at(-1)
    if (done) {
      const { title, url } = readData(done)
      return { text: `I created the document “${title}”${url ? `: ${url}` : '.'}` }
    }
    return { calls: [{ name: tool, arguments: writeDocument(request) }] }
  },
  values: writeDocument,
}

const readDocument: Skill = {
  suggestion: 'Read the document about the summer party',
  deed: 'read the document',
  tools: ['docs_read_document'],
  asks: (said) => asksTo(/\b(?:read|open|show)\b/i, /\b(?:document|doc|note)\b/i, said),
  next: ({ request, tool, steps }) =>
    withDocument(request, steps, (id, read) =>
      read
        ? { text: `**${readData(read).title}**\n\n${readData(read).content}` }
        : { calls: [{ name: tool, arguments: { document_id: id } }] },
    ),
  values: () => ({}),
}

const appendText: Skill = {
  suggestion: 'Add "Bring a cake" to the document about the summer party',
  deed: 'change the document',
  tools: ['docs_append_text'],
  asks: (said) => asksTo(/\b(?:add|append)\b/i, /\b(?:document|doc|note)\b/i, said),
  next: ({ request, tool, steps }) =>
    withDocument(request, steps, (id, added) => {
      if (added) return { text: 'I added it to the document.' }
      const text = quotedAfter(/["“]/, request, /["”]/) ?? 'One more line.'
      return { calls: [{ name: tool, arguments: { document_id: id, text } }] }
    }),
  values: () => ({}),
}

const listDocuments: Skill = {
  suggestion: 'Find my documents about the party',
  deed: 'search your documents',
  tools: ['docs_search'],
  asks: (said) => asksTo(/\b(?:find|search|list|which|what)\b/i, /\b(?:documents|docs|notes)\b/i, said),
  next({ request, tool, steps }) {
    const done = steps.at(-1)
    if (!done) return { calls: [{ name: tool, arguments: { query: describeTopic(request) } }] }
    const titles = listObjects(readData(done).documents).map(({ title }) => `- ${title}`)
    return {
      text:
        titles.length > 0
          ? `I found:\n\n${titles.join('\n')}`
          : 'I found no such document. Ask me to create one.',
    }
  },
  values: (request) => ({ query: describeTopic(request) }),
}

const readMail: Skill = {
  suggestion: 'Show my unread emails',
  deed: 'read your emails',
  tools: ['gmail_search_emails'],
  asks: (said) => asksTo(/\b(?:read|show|check|list|unread)\b/i, /\b(?:e-?mails?|mails?|inbox)\b/i, said),
  next({ request, tool, steps }) {
    const done = steps.at(-1)
    const query = /\bunread\b/i.test(request) ? 'in:inbox is:unread' : 'in:inbox'
    if (!done) return { calls: [{ name: tool, arguments: { query } }] }
    const lines = listObjects(readData(done).messages).map(({ from, subject }) => `- ${subject} (${from})`)
    return { text: lines.length > 0 ? `Your emails:\n\n${lines.join('\n')}` : 'There are no such emails.' }
  },
  values: () => ({ query: 'in:inbox' }),
}

const summarize: Skill = {
  suggestion: 'Summarize https://example.com',
  deed: 'read the page',
  tools: ['scrape_and_summarize'],
  asks: (said) => /\b(?:summari[sz]e|read|open)\b/i.test(said) && findUrls(said).length > 0,
  next({ request, tool, steps }) {
    const done = steps.at(-1)
    if (!done) return { calls: [{ name: tool, arguments: { urls: findUrls(request) } }] }
    const pages = listObjects(readData(done).pages)
    return {
      text: pages
        .map(({ url, summary, error }) => `${url}\n\n${summary ?? withoutMark(String(error))}`)
        .join('\n\n'),
    }
  },
  values: (request) => ({ urls: findUrls(request) }),
}

const searchNews: Skill = {
  suggestion: 'Search the news about Supabase',
  deed: 'search the news',
  tools: ['news_search'],
  asks: (said) => /\bnews\b/i.test(said),
  next: reportSearch,
  values: (request) => ({ query: describeTopic(request) }),
}

const searchWeb: Skill = {
  suggestion: 'Search the web for edge functions',
  deed: 'search the web',
  tools: ['web_search'],
  asks: (said) => /\b(?:search|google|look up)\b/i.test(said),
  next: reportSearch,
  values: (request) => ({ query: describeTopic(request) }),
}

/** The first skill that a request matches is used. */
export const skills: readonly Skill[] = [
  readMail,
  email,
  summarize,
  appendText,
  createDocument,
  readDocument,
  listDocuments,
  searchNews,
  searchWeb,
]

/** Whether a sentence has a verb, and a noun after it. */
function asksTo(verb: RegExp, noun: RegExp, said: string): boolean {
  const start = said.search(verb)
  return start >= 0 && noun.test(said.slice(start).split('.', 1)[0] ?? '')
}

function reportSearch({ request, tool, steps }: DemoTurn): DemoAnswer {
  const done = steps.at(-1)
  if (!done) return { calls: [{ name: tool, arguments: { query: describeTopic(request) } }] }
  const lines = listObjects(readData(done).results).map(
    ({ title, url, snippet }) => `- [${title}](${url}) ${snippet}`,
  )
  return { text: lines.length > 0 ? `I found:\n\n${lines.join('\n')}` : 'I found nothing.' }
}

/** Searches for the document first, because people refer to documents by their topic. */
function withDocument(
  request: string,
  [found, done]: readonly Step[],
  use: (documentId: unknown, done: Step | undefined) => DemoAnswer,
): DemoAnswer {
  const query = describeTopic(request)
  if (!found) return { calls: [{ name: 'docs_search', arguments: { query } }] }
  const [document] = listObjects(readData(found).documents)
  if (!document) return { text: `I found no document about “${query}”. Ask me to create one.` }
  return use(document.document_id, done)
}

function writeDocument(request: string): { title: string; content: string } {
  const topic = readTopic(request) || 'our plans'
  const title = quotedAfter(/\b(?:called|named|titled)\b\s*["“']/i, request, /["”']/) ?? writeTitle(topic)
  const said = quotedAfter(/\b(?:saying|that says|text|content)\b[:\s]*["“]/i, request, /["”]/)
  return { title, content: said ?? `# ${title}\n\nNotes about ${topic}.\n\n- What\n- When\n- Who\n` }
}

/** The topic of a search: what follows "about" or "for", otherwise what is quoted, otherwise the last word. */
function describeTopic(request: string): string {
  const about = readTopic(request.replace(/\bfor\b/i, 'about'))
  return about.replace(/^(?:the|our|my|an?)\s+/i, '') || quotedAfter(/["“]/, request, /["”]/) || 'everything'
}

/** "Send the attached file", "send it along". */
function asksForFiles(said: string): boolean {
  return /\b(?:attach(?:ed|ment|ments)?|files?|pictures?|photos?|enclosed?|along|this|it)\b/i.test(said)
}

/** "Repeat yourself: write an email …" */
export function repeatsItself(said: string): boolean {
  return /^repeat yourself\b/i.test(said)
}

function inOtherWords({ name, arguments: { body, ...others } }: DemoCall): DemoCall {
  return { name, arguments: { ...others, body: String(body).replace('Hello,', 'Hello again,') } }
}

/** Addresses from the user's newest message that has any. */
function listRecipients(texts: readonly string[]): Record<string, string[]> {
  const named = texts.map(readAddresses).findLast(({ to }) => to.length > 0)
  return Object.fromEntries(Object.entries(named ?? {}).filter(([, addresses]) => addresses.length > 0))
}

function findUrls(text: string): string[] {
  return text.match(/https?:\/\/[^\s<>"”]+[^\s<>"”.,;:!?)]/g) ?? []
}

function reportMail({ call, result }: Step): string {
  const { accepted, refused } = parseObject(result)
  const to = listTexts(accepted) ?? listTexts([call.arguments.to].flat()) ?? []
  const left = listTexts(refused) ?? []
  const subject = typeof call.arguments.subject === 'string' ? ` “${call.arguments.subject}”` : ''
  const sent = `I sent the email${subject}${to.length > 0 ? ` to ${to.join(', ')}` : ''}.`
  return left.length === 0 ? sent : `${sent} Not accepted: ${left.join(', ')}.`
}

function listTexts(list: unknown): string[] | undefined {
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
}

function listObjects(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function readData({ result }: Step): Record<string, unknown> {
  return parseObject(result)
}
