import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProjectInsights } from '../../../../client/api/types.ts'
import { failureSentence } from '../../../base/failure-sentence.ts'
import { showDate } from '../../../base/locale.ts'
import { DataTable } from '../data-table.tsx'
import { amount, average, dayName, dollars, duration, percent, share } from '../figures.ts'
import { Figures } from '../figures.tsx'
import { nameCode } from '../words.ts'
import { useOperatorCall } from './operator-calls.ts'
import { operatorWords } from './words.ts'

interface Range {
  days: number
  titleOf(tool: string): string
}

/** How everybody's calls went, and what they cost. Loaded on request, because every look is logged. */
export function Everyone({ days, titleOf }: Range) {
  const call = useOperatorCall()
  const words = operatorWords()
  const [isOpen, setOpen] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['operator', 'insights', days],
    queryFn: () => call<ProjectInsights>('GET', `insights?days=${days}`),
    enabled: isOpen,
  })
  return (
    <section className="panel" aria-label={words.everyone}>
      <div className="page-head">
        <h3>{words.everyone}</h3>
        <button type="button" disabled={isFetching} onClick={() => (isOpen ? void refetch() : setOpen(true))}>
          {isOpen ? words.refresh : words.showFigures}
        </button>
      </div>
      <p className="quiet small">{words.everyoneNote}</p>
      {error && <p role="alert">{failureSentence(error)}</p>}
      {data && <Everything figures={data} titleOf={titleOf} />}
    </section>
  )
}

function Everything({ figures, titleOf }: { figures: ProjectInsights } & Pick<Range, 'titleOf'>) {
  const words = operatorWords()
  const { tools, errors, models, agents, days, unpriced, refusedTools } = figures
  const nameOf = (tool: string | null) => (tool === null ? words.unknownTool : titleOf(tool))
  const rate = (part: number, whole: number) => percent(share(part, whole))
  return (
    <>
      <Totals figures={figures} />
      <Table
        title={words.refusedTools}
        head={[words.tool, words.model, words.whyRefused, words.lastRefused]}
        rows={refusedTools.map(({ tool, provider, model, why, refusedAt }) => [
          nameOf(tool),
          `${provider}/${model}`,
          why,
          showDate(refusedAt, 'moment'),
        ])}
      />
      <Table
        title={words.byTool}
        head={[words.tool, words.calls, words.errorRate, words.retries, words.median]}
        rows={tools.map(({ tool, calls, erred, retries, medianMs }) => [
          nameOf(tool),
          amount(calls),
          rate(erred, calls),
          average(retries),
          duration(medianMs),
        ])}
      />
      <Table
        title={words.byError}
        head={[words.error, words.tool, words.times]}
        rows={errors.map(({ type, tool, count }) => [nameCode(type), nameOf(tool), amount(count)])}
      />
      <Table
        title={words.byModel}
        head={[words.model, words.modelCalls, words.tokenCount, words.cost]}
        rows={models.map(({ provider, model, ...used }) => [`${provider}/${model}`, ...use(used)])}
      />
      <Table
        title={words.whatModelsRead}
        head={[words.model, words.reads, words.readsBy, words.largestRequest, words.cutRequests]}
        rows={models.map(({ provider, model, reads, readsBy, largest, cuts }) => [
          `${provider}/${model}`,
          reads === null ? words.notKnown : amount(reads),
          readsBy === null ? words.nobody : words.sources[readsBy],
          amount(largest),
          amount(cuts),
        ])}
      />
      <Table
        title={words.byAgent}
        head={[words.agentId, words.modelCalls, words.tokenCount, words.cost]}
        rows={agents.map(({ agentId, ...used }) => [agentId ?? words.deletedAgents, ...use(used)])}
      />
      <Table
        title={words.byDay}
        head={[words.day, words.calls, words.errorRate, words.tokenCount, words.cost]}
        rows={days
          .filter(({ calls, modelCalls }) => calls + modelCalls > 0)
          .toReversed()
          .map(({ day, calls, erred, tokens, costUsd }) => [
            dayName(day),
            amount(calls),
            rate(erred, calls),
            amount(tokens),
            dollars(costUsd),
          ])}
      />
      {unpriced > 0 && <p className="quiet small">{words.unpriced(amount(unpriced))}</p>}
    </>
  )
}

function Totals({ figures }: { figures: ProjectInsights }) {
  const { users, calls, erred, retries, medianMs, slowestMs, modelCalls, costUsd } = figures
  const words = operatorWords()
  const totals = {
    [words.activeUsers]: amount(users),
    [words.calls]: amount(calls),
    [words.errorRate]: percent(share(erred, calls)),
    [words.retries]: average(retries),
    [words.median]: duration(medianMs),
    [words.slowest]: duration(slowestMs),
    [words.modelCalls]: amount(modelCalls),
    [words.cost]: dollars(costUsd),
  }
  return <Figures figures={totals} />
}

function Table({ title, head, rows }: { title: string; head: string[]; rows: string[][] }) {
  if (rows.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <DataTable head={head} rows={rows} />
    </details>
  )
}

function use({ calls, tokens, costUsd }: { calls: number; tokens: number; costUsd: number }): string[] {
  return [amount(calls), amount(tokens), dollars(costUsd)]
}
