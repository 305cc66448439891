import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readIntegrations } from '../../../local/integrations/read-integrations.ts'
import type { ToolSpecification } from '../../../shared/engine/core/tool-specification.ts'
import { projectAnswer } from '../../../shared/engine/transcript/answer.ts'
import type { Entry } from '../../../shared/engine/transcript/entry.ts'
import { formalGerman } from '../../../shared/words/formal-german/formal-german.ts'
import type { Language } from '../../../shared/words/language.ts'
import { languageFor, overrule } from '../../../shared/words/languages/languages.ts'
import { overlay } from '../../../shared/words/overlay.ts'
import { type SentenceCode, sentences } from '../../../shared/words/sentence-codes.ts'
import { projectUiMessage } from '../../../supabase/functions/chat/answer/ui-message.ts'
import { german as ours } from '../../../support/own-languages.ts'
import { project } from '../../../support/stack.ts'
import { asked, call, failed, said, started, step } from './entries.ts'

/** What is stored is read by later releases: codes, tools and their words may be gone, or no longer what they were. */
const integrations = await readIntegrations(join(project, 'supabase/functions'))
const shipped = integrations.flatMap((one) => one.tools).map(({ specification }) => specification)
const input = { to: ['ada@example.com'], subject: 'Meeting', count: 3 }
const codes = Object.keys(sentences) as SentenceCode[]
const renamed = 'a_code_of_tomorrow' as SentenceCode
const named = [
  ...new Set(
    Object.values<{ says: string; values?: readonly string[] }>(sentences).flatMap(
      ({ values = [] }) => values,
    ),
  ),
]

afterEach(() => overrule({}))

const zone = { timeZone: 'UTC' }
const languages: Record<string, () => Language> = {
  English: () => languageFor({ locale: 'en-GB', ...zone }),
  German: () => ({ ...languageFor({ locale: 'de', ...zone }), tools: ours.tools }),
  'formal German': () => {
    overrule({ de: formalGerman })
    const formal = languageFor({ locale: 'de', ...zone })
    const tools = Object.entries(ours.tools).map(([name, words]) => [
      name,
      overlay(words, formal.tools[name]),
    ])
    return { ...formal, tools: Object.fromEntries(tools) }
  },
}

/** Values of a sentence as another release may have stored them. */
const stored: [string, (toolName: string) => Record<string, unknown>][] = [
  ['no values', () => ({})],
  ...[7, 'text', true, null, [], {}, [null], [{ what: 1 }], { a: { b: 1 } }].map(
    (value): [string, (toolName: string) => Record<string, unknown>] => [
      `${JSON.stringify(value)} for each value`,
      (toolName) => ({ ...Object.fromEntries(named.map((name) => [name, value])), toolName }),
    ],
  ),
]

const brokenTemplates = ['{', '{}', '[{', '{to#}', '{to~}', '{to:}', '{a.b[', '{=:|}', '{output.x.y}']
/** What may have become of a tool and of its words. */
const fates: [string, (tool: ToolSpecification, language: Language) => [ToolSpecification[], Language]][] = [
  ['as it is', (tool, language) => [[tool], language]],
  ['gone', (_, language) => [[], { ...language, tools: {} }]],
  ['without words', (tool, language) => [[tool], { ...language, tools: {} }]],
  ...[{}, { title: 'T' }, { title: 7, fields: 7, confirm: 7, summary: {}, button: [] }, null].map(
    (words): (typeof fates)[number] => [
      `with the words ${JSON.stringify(words)}`,
      (tool, language) => [[tool], { ...language, tools: { [tool.name]: words } as never }],
    ],
  ),
  ...brokenTemplates.map((template): (typeof fates)[number] => [
    `with the template ${template}`,
    (tool, language) => {
      const broken = { confirm: template, summary: template, button: template }
      const words = { title: 'T', fields: {}, ...broken }
      return [[{ ...tool, ...broken }], { ...language, tools: { [tool.name]: words } }]
    },
  ]),
]

/** All that a reader is shown of a call that waits, failed and ended with the same sentence. */
function show(
  language: Language,
  tool: ToolSpecification,
  specified: readonly ToolSpecification[],
  code: SentenceCode,
  values: Record<string, unknown>,
) {
  const tools = new Map(specified.map((one) => [one.name, one]))
  const about = { toolName: tool.name, code, codeValues: values, asked: undefined, arguments: input }
  const why = { code, values }
  const result = failed('c', 'Question: To whom?')
  const entries: Entry[] = [
    said('Write to Ada'),
    started,
    ...step('', call('c', tool.name, input), call('d', tool.name, input), call('e', tool.name, input)),
    result,
    asked('approval', 'c', about as never),
    asked('input', 'd', { ...about, intent: 2, why, reason: 'consent', open: ['subject'] } as never),
    asked('connection', 'e', { ...about, intent: 3, stillWaiting: [{ ...why, toolCallId: 'c' }] } as never),
    {
      type: 'run-end',
      status: 'needs_approval',
      text: '',
      ours: [{ ...why, text: 'As it was told.', toolCallId: 'c' }],
    },
  ]
  const place = { conversationId: 'k', runId: 'r', messageId: 'm' }
  projectUiMessage(place, entries, tools, language)
  return projectAnswer(entries, tools, language)
}

describe.each(Object.entries(languages))('in %s', (_, languageOf) => {
  function expectShown(at: string, { pending = [], text }: ReturnType<typeof show>) {
    expect(pending, at).toHaveLength(3)
    for (const shown of [text, ...pending.flatMap(({ title, asked, question }) => [title, asked, question])])
      expect(shown?.replace('Question:', ''), at).toMatch(/\S/)
  }

  test.each(fates.slice(0, 2))(
    'a call of a tool %s is shown, whatever the values of its sentence',
    (_, fate) => {
      const language = languageOf()
      const [tool] = shipped as [ToolSpecification]
      const [specified, reader] = fate(tool, language)
      for (const code of codes)
        for (const [name, valuesOf] of stored)
          expectShown(`${code}, ${name}`, show(reader, tool, specified, code, valuesOf(tool.name)))
    },
  )

  test.each(fates)('a call of a tool %s is shown, whatever the tool', (_, fate) => {
    const language = languageOf()
    for (const tool of shipped) {
      const [specified, reader] = fate(tool, language)
      for (const code of [renamed, 'approve', 'value_missing'] as const)
        expectShown(`${code} of ${tool.name}`, show(reader, tool, specified, code, { toolName: tool.name }))
    }
  })

  test.each(fates.slice(0, 3))(
    'a sentence that nobody knows any more about a tool %s names the values of the call',
    (_, fate) => {
      for (const tool of shipped) {
        const [specified, reader] = fate(tool, languageOf())
        const { pending } = show(reader, tool, specified, renamed, {})
        for (const { title, asked } of pending ?? [])
          for (const part of [title, 'ada@example.com', '3']) expect(asked).toContain(part)
      }
    },
  )
})
