import type { Search } from './search-provider.ts'

/** Google's names for a time range: `qdr` is "query date range". */
const timeRanges = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' }

/** Countries and languages whose codes at Google differ from ISO. */
const countries: Record<string, string> = { gb: 'uk' }
const languages: Record<string, string> = { zh: 'zh-cn', nb: 'no', he: 'iw' }

/** Parameters of a Google search, as Serper and SerpAPI take them; absent ones are left out. */
export function googleWords({ country, language, time_range }: Search): Record<string, string> {
  const gl = country?.toLowerCase()
  const hl = language?.toLowerCase()
  return {
    ...(gl ? { gl: countries[gl] ?? gl } : {}),
    ...(hl ? { hl: languages[hl] ?? hl } : {}),
    ...(time_range ? { tbs: timeRanges[time_range] } : {}),
  }
}
