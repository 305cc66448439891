/** Whether an integration can have this name: its functions, tools and settings are named after it. */
export const isIntegrationName = (base: string): boolean =>
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(base) && base.length <= 40

export const nameRule = 'Use small letters, digits and single dashes, 40 at most, beginning with a letter'

/** A file of the weather example, with the names of another integration in all their spellings. */
export function renameWeather(text: string, base: string): string {
  const words = base.split('-')
  const camel = words
    .map((word, at) => (at === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('')
  return text
    .replaceAll('weather-api', `${base}-api`)
    .replaceAll('weather_forecast', `${words.join('_')}_forecast`)
    .replaceAll('weatherForecast', `${camel}Forecast`)
    .replaceAll('WEATHER_API', `${words.join('_').toUpperCase()}_API`)
}
