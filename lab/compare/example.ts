import * as z from 'zod'
import { createToolLibrary, defineTool, Question } from '../../shared/index.ts'

const opening = z.object({
  day: z.string().meta({ description: 'Day', format: 'date', examples: ['2026-03-14'] }),
})
const hours: Readonly<Record<string, string>> = { '2026-03-14': '10 to 18', '2026-03-15': 'closed' }

const openingHours = (whenUnknown: () => Error) =>
  defineTool({
    name: 'opening_hours',
    title: 'Opening hours',
    description: 'When the museum is open on a day.',
    parameters: opening,
    effect: 'read',
    execute({ day }) {
      if (hours[day] === undefined) throw whenUnknown()
      return { day, open: hours[day] }
    },
  })

/** What `npm run lab -- compare lab/compare/example.ts` compares: a tool that says what to change, and one that does not. */
export const inputs = [
  'Is the museum open on 14 March 2026?',
  'When does the museum close on March 15th, 2026?',
  'Is the museum open on 16 March 2026? If you cannot see that, then on the day before.',
]

const bare = openingHours(() => new Error('no data'))
export const agent = {
  name: 'museum',
  instructions: 'Answer questions about the museum.',
  tools: [bare.specification],
}
export const a = createToolLibrary([bare])
export const b = createToolLibrary([
  openingHours(
    () =>
      new Question(
        `Which day do you mean? Opening hours are known for ${Object.keys(hours).join(' and ')}.`,
        {
          parameter: 'day',
        },
      ),
  ),
])
