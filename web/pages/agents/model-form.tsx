import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { providerNames } from '../../../client/provider-names.ts'
import { untilReload, useKept } from '../../../client/react/forms/use-kept.ts'
import { failureSentence } from '../../base/failure-sentence.ts'
import { showNumber } from '../../base/locale.ts'
import { useModels } from '../../base/queries.ts'
import { useSession } from '../../base/session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { type Choice, ModelChoice } from './model-choice.tsx'
import { agentsWords } from './words.ts'

interface Preferences extends Choice {
  temperature: number | null
  fallbacks: Choice[]
}

/** Typed but not saved. */
interface Typed {
  first: Choice
  fallbacks: Choice[]
  temperature: string
}

const nothing: Preferences = { provider: null, model: null, temperature: null, fallbacks: [] }
/** More would not help: each model that fails takes time. */
const mostFallbacks = 5
/** Users can add their own keys for these; other providers are available if the server has a key. */
const withOwnKeys = ['openai', 'anthropic', 'gemini', 'openrouter']

export function usePreferences(agentId: string) {
  const { supabase } = useSession()
  return useQuery({
    queryKey: ['preferences', agentId],
    async queryFn(): Promise<Preferences | null> {
      const { data, error } = await supabase
        .schema('askback')
        .from('agent_llm_preferences')
        .select('provider, model, temperature, fallbacks')
        .eq('agent_id', agentId)
        .maybeSingle()
      if (error) throw new Error(agentsWords().modelNotLoaded)
      return data as Preferences | null
    },
  })
}

/** The agent's model and its fallbacks. */
export function ModelForm({ agentId }: { agentId: string }) {
  const { data, error, isPending } = usePreferences(agentId)
  if (error) return <p role="alert">{failureSentence(error)}</p>
  return isPending ? null : <PreferencesForm agentId={agentId} stored={data ?? nothing} />
}

function PreferencesForm({ agentId, stored }: { agentId: string; stored: Preferences }) {
  const { supabase } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const words = agentsWords()
  const [typed, setTyped] = useKept<Partial<Typed>>(`model ${agentId}`, {}, untilReload)
  const [problem, setProblem] = useState<string>()
  const { data: list } = useModels({ agentId, conversationId: undefined })
  const there = list?.models.map(({ provider }) => provider).filter((provider) => providerNames[provider])
  const { provider, model } = stored
  const { first, fallbacks, temperature } = {
    first: { provider, model },
    fallbacks: stored.fallbacks,
    temperature: String(stored.temperature ?? ''),
    ...typed,
  }
  const change = (more: Partial<Typed>) => setTyped((before) => ({ ...before, ...more }))
  const providers = [...new Set([...withOwnKeys, ...(there ?? [])])]

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const heat = temperature.trim() === '' ? null : Number(temperature.trim().replace(',', '.'))
    if (heat !== null && !(heat >= 0 && heat <= 2)) {
      return setProblem(words.temperatureWrong)
    }
    setProblem(undefined)
    // Only what was typed here: another tab may have saved the rest.
    const row = {
      agent_id: agentId,
      ...(typed.first ? trim(first) : {}),
      ...(typed.temperature === undefined ? {} : { temperature: heat }),
      ...(typed.fallbacks
        ? { fallbacks: fallbacks.map(trim).filter(({ provider, model }) => provider || model) }
        : {}),
    }
    const { error } = await supabase
      .schema('askback')
      .from('agent_llm_preferences')
      .upsert(row, { onConflict: 'agent_id' })
    toast(error ? words.modelNotSaved : words.saved, error ? 'failed' : 'done')
    if (error) return
    await queries.invalidateQueries({ queryKey: ['preferences', agentId] })
    setTyped((now) => (now === typed ? {} : now))
    await queries.invalidateQueries({ queryKey: ['models'] })
  }

  return (
    <form className="panel stack" aria-label={words.model} noValidate onSubmit={save}>
      <h2>{words.model}</h2>
      <p className="quiet small">{words.modelNote}</p>
      <ModelChoice
        number={0}
        choice={first}
        providers={providers}
        onChange={(changed) => change({ first: changed })}
      />
      <label className="short">
        {words.temperature}
        <input
          name="temperature"
          inputMode="decimal"
          placeholder={showNumber(0.5)}
          value={temperature}
          onChange={(event) => {
            change({ temperature: event.target.value })
            setProblem(undefined)
          }}
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? 'temperature-problem' : undefined}
        />
      </label>
      {problem && (
        <p id="temperature-problem" className="problem small">
          {problem}
        </p>
      )}
      <h3>{words.fallbacks}</h3>
      {fallbacks.length === 0 && <p className="quiet small">{words.noFallbacks}</p>}
      {fallbacks.map((choice, index) => (
        <div key={index} className="fallback">
          <ModelChoice
            number={index + 1}
            choice={choice}
            providers={providers}
            onChange={(changed) => change({ fallbacks: fallbacks.with(index, changed) })}
          />
          <button
            type="button"
            aria-label={words.removeFallback(index + 1)}
            onClick={() => change({ fallbacks: fallbacks.toSpliced(index, 1) })}
          >
            {words.remove}
          </button>
        </div>
      ))}
      <div className="actions">
        <button type="submit" className="primary">
          {words.saveModel}
        </button>
        {fallbacks.length < mostFallbacks && (
          <button
            type="button"
            onClick={() => change({ fallbacks: [...fallbacks, { provider: null, model: null }] })}
          >
            {words.addFallback}
          </button>
        )}
      </div>
    </form>
  )
}

function trim({ provider, model }: Choice): Choice {
  return { provider, model: model?.trim() || null }
}
