import * as z from 'zod'
import { firstCharacter } from '../../../../shared/integrations/definition/first-character.ts'

/** The parameters for reading pages. */
export const readingParameters = z.strictObject({
  urls: z
    .array(z.url().max(2000).meta({ title: 'web address' }))
    .min(1)
    .max(10)
    .meta({
      title: 'web addresses',
      source: 'seen',
      question: 'Which pages should I read?',
      hint: 'Please provide their addresses, each beginning with https://.',
      examples: [['https://example.com/article']],
      aliases: ['url', 'links', 'link', 'pages', 'page', 'addresses'],
    }),
  focus_keywords: z
    .array(z.string().min(1).max(100))
    .max(10)
    .meta({
      description: 'What the summary should be about; everything, if left out.',
      question: 'What should the summary be about?',
      hint: 'Please provide a few words.',
      examples: [['pricing', 'limits']],
      aliases: ['keywords', 'focus', 'topics', 'focus_on'],
    })
    .optional(),
  summary_length: z
    .enum(['short', 'medium', 'long'])
    .meta({
      description: 'medium by default.',
      question: 'How long should the summary be?',
      hint: 'Please choose short, medium or long.',
      examples: ['short'],
      aliases: ['length', 'size', 'detail'],
    })
    .default('medium'),
  from: firstCharacter(
    'Where to begin in each page, in characters; 0 by default. A page that is longer than what is read of it says the value for what follows.',
    16_000,
  ),
})
export type ReadingParameters = z.input<typeof readingParameters>
