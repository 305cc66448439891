import * as z from 'zod'
import { firstCharacter } from '../../../shared/integrations/definition/first-character.ts'
import { documentNotFoundWords } from './document-questions.ts'

/** Characters of a text that is written at once: Docs accepts 1.02 million in one document. */
const longestText = 1_000_000
/** Characters that are added to a document at once: they are formatted here, within 2 s of CPU. */
const longestAddition = 100_000

/** A document id, ours or Google's, or the document's URL, as people paste it. */
const documentId = z
  .string()
  .max(500)
  .regex(/^(?:https:\/\/docs\.google\.com\/document\/(?:u\/\d+\/)?d\/)?[A-Za-z0-9_-]{8,128}(?:[/?#].*)?$/)
  .meta({
    title: 'document',
    description: 'The id of the document, or its address.',
    question: 'Which document is it?',
    hint: 'Please provide its id or its address; a search for words of it finds both.',
    unfit: documentNotFoundWords,
    examples: ['1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'],
    aliases: ['doc_id', 'id', 'file_id', 'document'],
  })

/** A tab of a document at Google. */
const tab = (description: string) =>
  z
    .string()
    .min(1)
    .max(500)
    .meta({
      title: 'tab',
      description,
      question: 'Which tab is it?',
      hint: 'Please provide its title.',
      examples: ['Budget'],
      aliases: ['tab_id', 'tab_title', 'tab_name'],
    })
    .optional()

const pageToken = z
  .string()
  .min(1)
  .max(2000)
  .optional()
  .meta({
    title: 'page',
    description: 'Where to go on: next_page_token of the page before.',
    aliases: ['cursor'],
  })

export const createParameters = z.strictObject({
  title: z
    .string()
    .min(1)
    .max(500)
    .meta({
      title: 'title',
      question: 'What should the document be called?',
      hint: 'Please provide a title.',
      examples: ['Meeting notes'],
      aliases: ['name'],
    }),
  content: z
    .string()
    .max(longestText)
    .optional()
    .meta({
      title: 'content',
      minLength: 0,
      description: 'What stands in it, as Markdown: headings, lists, links, bold, italic, code, tables.',
      aliases: ['text', 'body', 'markdown'],
    }),
})

export const readParameters = z.strictObject({
  document_id: documentId,
  tab: tab('The title or id of one tab; all tabs, if left out.'),
  from: firstCharacter(
    'Where to begin, in characters; 0 by default. A text that is cut says the value for what follows.',
    131_000,
  ),
})

export const appendParameters = z.strictObject({
  document_id: documentId,
  tab: tab('The title or id of the tab, if there are several; the last one, if left out.'),
  text: z
    .string()
    .min(1)
    .max(longestAddition)
    .meta({
      title: 'text',
      description: 'What is added at the end, as Markdown.',
      question: 'What should be added to the document?',
      hint: 'Please provide the text.',
      aliases: ['content', 'body', 'markdown'],
    }),
})

export const replaceParameters = z.strictObject({
  document_id: documentId,
  tab: tab('The title or id of the tab; needed only if the text is in several.'),
  find: z
    .string()
    .min(1)
    .max(10_000)
    .meta({
      title: 'text to replace',
      description: 'The words to replace, wherever they stand, exactly as they stand there.',
      question: 'Which text should be replaced?',
      hint: 'Please provide it exactly as it stands in the document.',
      aliases: ['search', 'old_text', 'old'],
    }),
  replace: z
    .string()
    .max(100_000)
    .meta({
      title: 'new text',
      minLength: 0,
      description: 'What stands there instead; empty to remove it.',
      question: 'What should stand there instead?',
      hint: 'Please provide the new text.',
      aliases: ['replacement', 'new_text', 'new', 'replace_with'],
    }),
})

export const restoreParameters = z.strictObject({
  document_id: documentId,
  revision: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .meta({
      title: 'revision',
      description: 'Which version; the one before the last change, if left out.',
      question: 'Which version should be restored?',
      hint: 'Please provide the number of its revision.',
      examples: [3],
      aliases: ['version', 'revision_id'],
    }),
})

export const searchParameters = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(500)
    .meta({
      title: 'words',
      description: 'Words of the title or the text.',
      question: 'Which words should be searched for?',
      hint: 'Please provide words of the title or the text.',
      examples: ['quarterly report'],
      aliases: ['q', 'search', 'text'],
    }),
  max_results: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .meta({ title: 'number of documents', aliases: ['limit', 'page_size'] }),
  page_token: pageToken,
})

export const shareParameters = z.strictObject({
  document_id: documentId,
  emails: z
    .array(
      z.email().max(320).meta({
        question: 'Who should the document be shared with?',
        hint: 'Please provide an email address.',
      }),
    )
    .min(1)
    .max(50)
    .meta({
      title: 'people',
      question: 'Who should the document be shared with?',
      hint: 'Please provide their email addresses.',
      examples: [['ada@example.com']],
      aliases: ['email', 'to', 'users', 'people'],
      source: 'conversation',
    }),
  role: z.enum(['reader', 'commenter', 'writer']).meta({
    title: 'role',
    question: 'What may they do with the document: read it, comment on it, or write in it?',
    hint: 'Please choose reader, commenter or writer.',
    aliases: ['permission', 'access'],
  }),
})

export type CreateParameters = z.output<typeof createParameters>
export type AppendParameters = z.output<typeof appendParameters>
export type ReplaceParameters = z.output<typeof replaceParameters>
export type RestoreParameters = z.output<typeof restoreParameters>
/** Defaults are not filled in before a call runs. */
export type ReadParameters = z.input<typeof readParameters>
export type SearchParameters = z.input<typeof searchParameters>
export type ShareParameters = z.output<typeof shareParameters>
export type ShareRole = ShareParameters['role']
