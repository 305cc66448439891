import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { findFault } from '../../../local/integrations/integration-fault.ts'
import { completeWords, missingWords } from '../../../local/integrations/integration-words.ts'
import { readIntegrations } from '../../../local/integrations/read-integrations.ts'
import { type Integration, integrationTool } from '../../../shared/integrations/definition/integration.ts'
import type { ToolWords } from '../../../shared/words/tool-words.ts'
import { project } from '../../../support/stack.ts'

const ours = await readIntegrations(join(project, 'supabase/functions'))

const tool = integrationTool({
  name: 'note_save',
  title: 'Save note',
  confirm: 'Save "{text}" in {folder}?',
  summary: 'Saved "{text}"',
  description: 'Saves a note.',
  parameters: z.strictObject({
    text: z.string().meta({ question: 'What should the note say?', hint: 'Please provide a text.' }),
    folder: z.enum(['work', 'home']).optional(),
    files: z.array(z.strictObject({ name: z.string() })).optional(),
  }),
  effect: 'write',
  action: 'save',
})

const german: ToolWords = {
  title: 'Notiz speichern',
  confirm: '{text} in {folder} speichern?',
  summary: '{text} gespeichert',
  fields: {
    text: { title: 'Text', question: 'Was soll in der Notiz stehen?', hint: 'Bitte nenne einen Text.' },
    folder: { title: 'Ordner', choices: { work: 'Arbeit', home: 'Zuhause' } },
    files: { title: 'Dateien' },
    'files.name': { title: 'Name' },
  },
}

/** The integration with these words for its tool. */
const withWords = (words: unknown, language = 'de') =>
  ({
    name: 'note-api',
    providers: [],
    tools: [tool],
    words: { [language]: { tools: { note_save: words }, providers: {} } },
  }) as unknown as Integration

const faultOf = (words: unknown, language?: string) => findFault(withWords(words, language), 'note-api')

describe('the words of an integration', () => {
  it('are complete for each of ours, in every language that it has', () => {
    expect(ours.flatMap((one) => missingWords(one))).toEqual([])
    for (const { name, tools, providers, words } of ours) {
      if (tools.length + providers.length > 0)
        expect([name, Object.keys(words ?? {})]).toEqual([name, ['de']])
    }
  })

  it('are stored by tool and language', () => {
    expect(faultOf(german)).toBeUndefined()
    expect(completeWords(withWords(german)).tools).toEqual({ note_save: { de: german } })
  })

  it('are left out where a text is missing, so that no tool is in two languages, and say which', () => {
    const { 'files.name': _, ...fields } = german.fields
    const some = {
      ...german,
      summary: undefined,
      fields: { ...fields, folder: { title: 'Ordner', choices: { work: 'Arbeit' } } },
    }
    expect(completeWords(withWords(some)).tools).toEqual({ note_save: {} })
    expect(missingWords(withWords(some))).toEqual([
      '"note_save" is English for readers of "de", because its words lack summary, fields["folder"].choices.home, fields["files.name"].title.',
    ])
  })

  it.each([
    [
      'a language that is none',
      german,
      'deutsch!',
      'its words name "deutsch!", which is no language. Use a BCP 47 tag, like "de" or "pt-BR".',
    ],
    ['English', german, 'en', 'its words name "en". English is what the tools say without other words.'],
    [
      'a field that the tool does not have',
      { ...german, fields: { ...german.fields, folders: { title: 'Ordner' } } },
      'de',
      'the words of "note_save" in "de" name the field "folders", which it does not have (it has text, folder, files, files.name).',
    ],
    [
      'a template that names no parameter',
      { ...german, confirm: '{txt} speichern?' },
      'de',
      'the words of "note_save" in "de" have a confirm that names {txt}, which is not a parameter (text, folder, files).',
    ],
    [
      'a template that cannot be read',
      { ...german, summary: '{text gespeichert' },
      'de',
      'the words of "note_save" in "de" have a summary that has a { or } without its other half.',
    ],
    [
      'a template without a word for what it looks up',
      { ...german, confirm: '{text:title,owner} speichern?' },
      'de',
      'the words of "note_save" in "de" have a confirm that has no word before "owner" in {text:title,owner}: write it like {ids:title,owner=of}.',
    ],
  ])('are refused with %s', (_, words, language, fault) => {
    expect(faultOf(words, language)).toBe(fault)
  })

  it('can be for a tool that has another name by now, and this is said', () => {
    const renamed = { ...tool, specification: { ...tool.specification, name: 'note_keep' } }
    const integration = { ...withWords(german), tools: [renamed] }
    expect(findFault(integration, 'note-api')).toBeUndefined()
    expect(completeWords(integration).tools).toEqual({ note_keep: {} })
    expect(missingWords(integration)).toEqual([
      '"note_keep" is English for readers of "de", because its words lack everything.',
      'The words in "de" name "note_save", which is no tool and no provider.',
    ])
  })

  it('are refused with a text that is none', () => {
    expect(faultOf({ ...german, title: 7 })).toMatch(
      /"integration\.words\.de\.tools\.note_save\.title" is not right/,
    )
  })
})
