import * as z from 'zod'
import { type Integration, integrationTool } from '../../../shared/integrations/definition/integration.ts'

/** What a model may send. What it leaves out or gets wrong is asked about in these words. */
export const parameters = z.strictObject({
  city: z
    .string()
    .min(1)
    .max(100)
    .meta({
      question: 'Which city is the forecast for?',
      hint: 'Please provide the name of the city.',
      examples: ['Lisbon'],
      aliases: ['location', 'place'],
    }),
  days: z
    .int()
    .min(1)
    .max(7)
    .meta({ question: 'For how many days is the forecast?', hint: 'Please provide a number from 1 to 7.' })
    .optional(),
})

export const weatherForecast = integrationTool({
  name: 'weather_forecast',
  // How people read it.
  title: 'Weather forecast',
  // What a call did, in one line for people.
  summary: 'Looked up the weather in {city}',
  // How a model knows when to use it.
  description: 'The weather of a city, for today and up to six days after it.',
  parameters,
  // A 'write' changes something: it asks the user each time, unless the tool says `approval: 'never'`.
  effect: 'read',
  action: 'forecast',
})

/** Its provider needs no account. One that does is listed here, and named in `providers` of its tools: see smtp-api. */
export const integration: Integration = { name: 'weather-api', providers: [], tools: [weatherForecast] }
