import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'

interface Choice {
  provider: string | null
  model: string | null
}

interface Preferences extends Choice {
  temperature: number | null
  fallbacks: Choice[]
}

const providers = ['openai', 'anthropic', 'gemini', 'openrouter', 'ollama']
const names: Record<string, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
}

/** Which model answers, and which one when it fails. */
export function ModelForm({ agentId }: { agentId: string }) {
  const { supabase } = useSession()
  const queries = useQueryClient()
  const toast = useToast()
  const key = ['preferences', agentId]
  const table = () => supabase.schema('askback').from('agent_llm_preferences')
  const { data, isPending } = useQuery({
    queryKey: key,
    async queryFn(): Promise<Preferences | null> {
      const { data, error } = await table()
        .select('provider, model, temperature, fallbacks')
        .eq('agent_id', agentId)
        .maybeSingle()
      if (error) throw new Error('The model cannot be read.')
      return data as Preferences | null
    },
  })
  if (isPending) return null

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim() || null
    const fallback = { provider: text('fallback-provider'), model: text('fallback-model') }
    const row = {
      agent_id: agentId,
      provider: text('provider'),
      model: text('model'),
      temperature: text('temperature') === null ? null : Number(text('temperature')),
      fallbacks: fallback.provider || fallback.model ? [fallback] : [],
    }
    const { error } = await table().upsert(row, { onConflict: 'agent_id' })
    toast(
      error ? 'The model could not be saved. Try again in a minute.' : 'Saved.',
      error ? 'failed' : 'done',
    )
    await queries.invalidateQueries({ queryKey: key })
  }

  const fallback = data?.fallbacks[0]
  return (
    <form className="panel stack" aria-label="Model" onSubmit={save}>
      <h2>Model</h2>
      <p className="quiet small">Left empty, the model of the server answers.</p>
      <div className="columns">
        <ProviderChoice label="Provider" name="provider" value={data?.provider} />
        <label>
          Model
          <input
            name="model"
            defaultValue={data?.model ?? ''}
            maxLength={200}
            placeholder="As the server has it"
          />
        </label>
        <label>
          Temperature
          <input
            name="temperature"
            type="number"
            min="0"
            max="2"
            step="0.1"
            placeholder="0.5"
            defaultValue={data?.temperature ?? ''}
          />
        </label>
        <ProviderChoice
          label="Provider when that fails"
          name="fallback-provider"
          value={fallback?.provider}
        />
        <label>
          Model when that fails
          <input name="fallback-model" defaultValue={fallback?.model ?? ''} maxLength={200} />
        </label>
      </div>
      <div className="actions">
        <button type="submit">Save model</button>
      </div>
    </form>
  )
}

function ProviderChoice({
  label,
  name,
  value,
}: {
  label: string
  name: string
  value: string | null | undefined
}) {
  return (
    <label>
      {label}
      <select name={name} defaultValue={value ?? ''}>
        <option value="">As the server has it</option>
        {providers.map((id) => (
          <option key={id} value={id}>
            {names[id]}
          </option>
        ))}
      </select>
    </label>
  )
}
