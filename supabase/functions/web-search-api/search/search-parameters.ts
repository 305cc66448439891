import * as z from 'zod'

const query = z
  .string()
  .min(1)
  .max(400)
  .meta({
    title: 'search words',
    question: 'What should I search for?',
    hint: 'Please provide the words to search for.',
    examples: ['supabase edge functions limits'],
    aliases: ['q', 'search', 'search_query', 'keywords', 'text'],
  })

const num_results = z
  .int()
  .min(1)
  .max(20)
  .meta({
    description: 'How many results, 10 by default.',
    question: 'How many results should I look for?',
    hint: 'Please provide a whole number from 1 to 20.',
    examples: [5],
    aliases: ['count', 'limit', 'max_results', 'num', 'n', 'top_k'],
  })
  .default(10)

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/)
  .meta({
    description: 'Where the search is made from, as two letters (ISO 3166).',
    question: 'For which country should I search?',
    hint: 'Please provide its code of two letters.',
    examples: ['DE', 'US'],
    aliases: ['gl', 'region', 'country_code'],
  })
  .optional()

const language = z
  .string()
  .regex(/^[A-Za-z]{2}(-[A-Za-z]{2,4})?$/)
  .meta({
    description: 'Language of the results, as two letters (ISO 639), with a variant where it matters.',
    question: 'In which language should the results be?',
    hint: 'Please provide its code of two letters.',
    examples: ['de', 'en', 'pt-br'],
    aliases: ['hl', 'lang', 'language_code', 'search_lang'],
  })
  .optional()

const time_range = z
  .enum(['day', 'week', 'month', 'year'])
  .meta({
    description: 'Only what is not older than that.',
    question: 'How recent should the results be?',
    hint: 'Please choose day, week, month or year.',
    examples: ['week'],
    aliases: ['freshness', 'recency', 'date_range', 'tbs', 'time', 'period'],
  })
  .optional()

/** The parameters of both searches. */
export const searchParameters = z.strictObject({ query, num_results, country, language, time_range })
export type SearchParameters = z.input<typeof searchParameters>
