import { english } from '../../client/labels/en.ts'
import { englishApps } from '../../client/labels/en-apps.ts'
import { englishChat } from '../../client/labels/en-chat.ts'
import { englishDigests } from '../../client/labels/en-digests.ts'
import { type AllLabels, englishIntegrations } from '../../client/labels/en-integrations.ts'
import { englishModels } from '../../client/labels/en-models.ts'
import { englishSchedules } from '../../client/labels/en-schedules.ts'

/** All labels, each between ⟦ and ⟧: a word of the pieces that stands outside of these is none. Dates are Greek. */
export const markedLabels = {
  ...(mark({
    ...english,
    integrations: englishIntegrations,
    chat: englishChat,
    models: englishModels,
    schedules: englishSchedules,
    digests: englishDigests,
    apps: englishApps,
  }) as AllLabels),
  locale: 'el',
}

function mark(label: unknown): unknown {
  if (typeof label === 'string') return `⟦${label}⟧`
  if (typeof label === 'function') return (...values: unknown[]) => mark(label(...values))
  return Object.fromEntries(Object.entries(label as object).map(([name, one]) => [name, mark(one)]))
}
