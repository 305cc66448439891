import { showDate, showList, showNumber } from '../../../shared/words/locale.ts'
import type { ApiToken } from '../../api/api-token.ts'
import type { Permission } from '../../api/permission.ts'
import type { Schedule } from '../../api/types.ts'
import { stateOf } from '../labels/schedule-state.ts'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import { useScheduleLabels } from '../labels/use-schedule-labels.ts'
import type { Unasked } from './use-unasked.ts'

/** Names of tools and agents, and facts in words. */
export function useUnaskedFacts(known: Unasked | undefined) {
  const { locale } = useLabels()
  const { lastUsed, unasked: words } = useIntegrationLabels()
  const scheduled = useScheduleLabels()
  /** Inside a line of facts. */
  const small = (text: string) => text.charAt(0).toLocaleLowerCase(locale) + text.slice(1)
  const count = (value: number) => showNumber(value, {}, locale)
  const agents = known?.agents ?? []
  const nameOf = (id: string) => agents.find((agent) => agent.id === id)?.name
  const last = (moment: string | null | undefined) =>
    moment ? lastUsed(showDate(moment, 'moment', locale)) : undefined
  return {
    toolTitle: (name: string) => known?.described.find((tool) => tool.name === name)?.title ?? name,
    /** Only where there is more than one. */
    agentName: (id: string) => (agents.length > 1 ? nameOf(id) : undefined),
    agentsOf: ({ agents }: ApiToken) =>
      agents === null
        ? words.allAgents
        : showList(
            agents.map((id) => nameOf(id) ?? words.deletedAgent),
            locale,
          ),
    since: (moment: string) => words.since(showDate(moment, 'day', locale)),
    uses: (used: number, lastUsedAt: string | null) => [
      used === 0 ? words.neverUsed : words.uses(count(used), used === 1),
      last(lastUsedAt),
    ],
    inWindow: ({ used, max, per }: Permission) => used > 0 && words.inWindow[per](count(used), count(max)),
    runs: ({ runs, history }: Schedule) => {
      const newest = history.find(({ outcome }) => outcome === 'begun')?.dueAt
      return [
        runs === 0 ? words.neverRan : words.runs(count(runs), runs === 1),
        newest && words.lastRan(showDate(newest, 'moment', locale)),
      ]
    },
    next: (schedule: Schedule) => small(stateOf(schedule, scheduled)),
    ends(moment: string | null, form: 'day' | 'moment' = 'day') {
      if (moment === null) return undefined
      const shown = showDate(moment, form, locale)
      return Date.parse(moment) <= Date.now() ? words.expiredOn(shown) : words.expiresOn(shown)
    },
  }
}
