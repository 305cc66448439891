/**
 * Runs the README's conversation on the real stack with the demo model and draws what happened as
 * docs/conversation.svg: `npx tsx scripts/record-conversation.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import ws from 'ws'
import type { ToolUse } from '../shared/engine/transcript/answer.ts'
import { startStack } from '../support/stack.ts'
import { root } from './platform.ts'

type Line = [kind: 'user' | 'call' | 'question' | 'fact' | 'mail' | 'answer', text: string]

const message = 'Send an email about the meeting to ada@example.com'
const stack = await startStack({ keepsDemo: true })
const lines: Line[] = [['user', message]]
try {
  const supabase = createClient(stack.url, stack.keys.publishableKey, {
    realtime: { transport: ws as unknown as typeof WebSocket },
  })
  await supabase.auth.signInWithPassword(stack.demoUser)
  const { data, error } = await supabase.functions.invoke('chat', { body: { message } })
  if (error) throw error
  for (const use of data.toolsUsed as ToolUse[]) {
    lines.push(['call', `${use.toolName}(${JSON.stringify(use.input)})`])
    if (use.error) {
      lines.push(['question', use.error.error])
      lines.push(['fact', `resolver: ${use.error.resolver} · attempt ${use.attempt} of 3 · nothing was sent`])
    }
  }
  const [{ toolName, values, toolCallId, approvalId, confirm, button }] = data.pending
  lines.push(['call', `${toolName}(${JSON.stringify(values)})`])
  lines.push(['question', confirm], ['user', `clicks "${button}"`])
  const path = `chat/${data.conversationId}/approval`
  const approved = await supabase.functions.invoke(path, {
    body: { toolCallId, approvalId, decision: 'approve' },
  })
  if (approved.error) throw approved.error
  for (const mail of await stack.inbox.messages())
    lines.push(['mail', `test inbox: 1 email, to ${mail.to.join(', ')}, subject "${mail.subject}"`])
  lines.push(['answer', approved.data.text])
} finally {
  await stack.stop()
}
await writeFile(join(root, 'docs/conversation.svg'), draw(lines))
for (const [kind, text] of lines) console.log(`${kind.padEnd(9)} ${text}`)

function draw(content: Line[]): string {
  const style = {
    user: { label: 'user', colour: '#e6edf3' },
    call: { label: 'model calls', colour: '#79c0ff' },
    question: { label: 'askback', colour: '#ffa657' },
    fact: { label: '', colour: '#8b949e' },
    mail: { label: 'mail', colour: '#7ee787' },
    answer: { label: 'model', colour: '#e6edf3' },
  }
  const width = 100
  const rows = content.flatMap(([kind, text]) =>
    wrap(text, width - 14).map((part, index) => ({
      label: index === 0 ? style[kind].label : '',
      colour: style[kind].colour,
      part,
      gap: index === 0 && kind !== 'fact' ? 10 : 0,
    })),
  )
  let y = 24
  const texts = rows.map(({ label, colour, part, gap }) => {
    y += 20 + gap
    return `<text x="20" y="${y}" fill="#8b949e">${label}</text><text x="125" y="${y}" fill="${colour}">${escapeXml(part)}</text>`
  })
  const height = y + 24
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">`,
    '<title>A conversation of errors, as it really ran</title>',
    `<rect width="880" height="${height}" rx="10" fill="#0d1117"/>`,
    ...texts,
    '</svg>',
    '',
  ].join('\n')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(/(?<=[ ,])/)) {
      if (line !== '' && line.length + word.length > width) {
        lines.push(line)
        line = ''
      }
      line += word
    }
    lines.push(line)
  }
  return lines
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
