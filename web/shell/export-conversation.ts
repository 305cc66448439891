import type { Askback } from '../../client/askback.ts'
import type { Labels } from '../../client/labels/en.ts'
import { labelOf } from '../../client/values/sentence.ts'
import { toMarkdown } from './conversation-markdown.ts'
import { menuWords } from './menu-words.ts'

/** Saves a whole conversation as a Markdown file. Rejects with a sentence. */
export async function exportConversation(askback: Askback, id: string, labels: Labels): Promise<void> {
  let page = await askback.conversations.get(id)
  const { title } = page
  let { messages, times } = page
  while (page.next !== undefined) {
    page = await askback.conversations.get(id, page.next)
    messages = [...page.messages, ...messages]
    times = { ...page.times, ...times }
  }
  const tools = new Map((await askback.tools()).map((tool) => [tool.name, tool.title]))
  const titleOf = (toolName: string) => tools.get(toolName) ?? labelOf(toolName)
  const name = title ?? labels.conversation
  const link = document.createElement('a')
  link.href = URL.createObjectURL(
    new Blob([toMarkdown(name, messages, { times, titleOf, labels })], { type: 'text/markdown' }),
  )
  link.download = `${nameFile(name)}.md`
  link.click()
  // After the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** A title as a file name that every system accepts. */
export function nameFile(title: string): string {
  const name = title
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  return Array.from(name).slice(0, 80).join('').trim() || menuWords().conversation
}
