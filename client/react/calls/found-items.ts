import { asObject } from '../../values/json-object.ts'
import { showMoment } from '../../values/local-time.ts'
import { showValue } from '../../values/sentence.ts'
import { isWebAddress } from '../../values/web-address.ts'

/** One item of a list that a tool found. */
export interface Found {
  title: string
  url: string | undefined
  text: string
}

/** The list in an output like `{ results: [{ title, url, snippet }] }`, from searches, documents and mails. */
export function readFound(output: unknown, locale?: string): Found[] | undefined {
  const lists = Object.values(asObject(output)).filter(Array.isArray)
  const [list] = lists
  if (lists.length !== 1 || list === undefined) return undefined
  const found = list.map((item: unknown): Found | undefined => {
    const { title, subject, url, snippet, summary, error, from, source, published, modified, date } =
      asObject(item)
    const name = title ?? subject ?? url
    if (typeof name !== 'string' || name === '') return undefined
    const facts = [from, source, published ?? modified ?? date, snippet ?? summary ?? error]
    return {
      title: name,
      url: isWebAddress(url) ? url : undefined,
      text: facts
        .filter((fact) => typeof fact === 'string' && fact !== '')
        .map((fact) => showMoment(fact, locale) ?? showValue(fact))
        .join(' · '),
    }
  })
  return found.every((one) => one !== undefined) ? found : undefined
}
