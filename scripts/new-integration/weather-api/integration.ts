import * as z from 'zod'
import { type Integration, integrationTool } from '../../../shared/integrations/definition/integration.ts'
import { words } from './words.ts'

/** The parameters. The questions about missing or wrong values are made from these texts. */
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
  // The name that people see.
  title: 'Weather forecast',
  // One line for people about what a call did.
  summary: 'Looked up the weather in {city}',
  // Tells the model when to use it.
  description: 'The weather in a city, for today and up to six days ahead.',
  parameters,
  // A 'write' changes something and needs approval each time, unless the tool sets `approval: 'never'`.
  effect: 'read',
  action: 'forecast',
})

/** It needs no account. Providers with accounts are listed here and in `providers` of the tools: see smtp-api. */
export const integration: Integration = {
  name: 'weather-api',
  providers: [],
  tools: [weatherForecast],
  words,
}
