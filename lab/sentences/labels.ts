import { labels as all, settingsLabels } from './languages.ts'
import type { Sentence } from './sentence.ts'

/** What stands for every value of a label. */
const sample: unknown = new Proxy(() => '…', {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '…' : name === Symbol.iterator ? undefined : sample),
  apply: () => sample,
})

/** The labels of the components: texts, and what their functions make of `…`. */
export function sentencesOfLabels(): Sentence[] {
  return Object.entries(all).flatMap(([language, labels]) =>
    textsIn({ ...labels, integrations: settingsLabels[language] }).map(
      ([path, sentence]): Sentence => ({
        from: `label ${path}`,
        to: 'people',
        language,
        as: 'label',
        sentence,
      }),
    ),
  )
}

/** Sentences and tools have values of their own: other files record them. */
const recordedElsewhere = new Set(['said', 'tools', 'providers', 'services'])

function textsIn(label: unknown, path = ''): [path: string, text: string][] {
  if (typeof label === 'string') return [[path, label]]
  if (typeof label === 'function') {
    try {
      return [[path, String(label(sample, sample, sample))]]
    } catch {
      return []
    }
  }
  return Object.entries(label ?? {}).flatMap(([name, one]) =>
    recordedElsewhere.has(name) ? [] : textsIn(one, path === '' ? name : `${path}.${name}`),
  )
}
