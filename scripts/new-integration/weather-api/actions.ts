import * as z from 'zod'
import { Question } from '../../../shared/engine/core/tool-error.ts'
import { askJson } from '../../../shared/integrations/network/ask-json.ts'
import type { Environment } from '../../../shared/server/authentication/project-settings.ts'
import type {
  Implementation,
  IntegrationAction,
} from '../../../shared/server/integration-function/integration-action.ts'
import { type parameters, weatherForecast } from './integration.ts'

/** The parts of the responses that are used: https://open-meteo.com/en/docs and https://open-meteo.com/en/docs/geocoding-api */
const places = z.object({
  results: z
    .array(
      z.object({
        name: z.string(),
        country: z.string().optional(),
        latitude: z.number(),
        longitude: z.number(),
      }),
    )
    .optional(),
})
const forecasts = z.object({
  daily: z.object({
    time: z.array(z.string()),
    temperature_2m_min: z.array(z.number()),
    temperature_2m_max: z.array(z.number()),
    precipitation_sum: z.array(z.number()),
  }),
})

/** The actions of this function. They call Open-Meteo, which needs no key, or in tests `WEATHER_API_BASE_URL`. */
export function createActions(env: Environment): Implementation {
  const placesUrl = env.WEATHER_API_BASE_URL || 'https://geocoding-api.open-meteo.com'
  const forecastUrl = env.WEATHER_API_BASE_URL || 'https://api.open-meteo.com'

  const forecast: IntegrationAction<z.infer<typeof parameters>> = {
    tool: weatherForecast,
    async run({ city, days = 1 }, { signal }) {
      const name = new URLSearchParams({ name: city, count: '1' })
      const found = places.parse(await askJson(`${placesUrl}/v1/search?${name}`, { signal }))
      const [place] = found.results ?? []
      if (!place)
        throw new Question(`Which city is "${city}"? There is no such place.`, { parameter: 'city' })
      const where = new URLSearchParams({
        latitude: String(place.latitude),
        longitude: String(place.longitude),
        daily: 'temperature_2m_min,temperature_2m_max,precipitation_sum',
        timezone: 'auto',
        forecast_days: String(days),
      })
      const { daily } = forecasts.parse(await askJson(`${forecastUrl}/v1/forecast?${where}`, { signal }))
      return {
        city: [place.name, place.country].filter(Boolean).join(', '),
        days: daily.time.map((date, day) => ({
          date,
          lowest: daily.temperature_2m_min[day],
          highest: daily.temperature_2m_max[day],
          rain: daily.precipitation_sum[day],
        })),
      }
    },
  }
  return { actions: [forecast] }
}
