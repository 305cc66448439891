import { useEffect, useRef } from 'react'
import type { AgentModel, ApiToken } from '../../../client/api/api-token.ts'
import { CopyLine } from './copy-line.tsx'
import { tokensWords } from './words.ts'

/** Shows a token, this one time, with the other settings an OpenAI client needs. */
export function NewToken({
  token: { name, value, agents },
  models,
  baseUrl,
  onDone,
}: {
  token: ApiToken & { value: string }
  models: AgentModel[]
  baseUrl: string
  onDone(): void
}) {
  const words = tokensWords()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const opened = models.filter(({ id }) => agents === null || agents.includes(id))
  return (
    <section className="panel made-token" aria-label={words.made}>
      <div>
        <h2 ref={heading} tabIndex={-1}>
          {words.copyNow(name)}
        </h2>
        <p className="quiet">{words.copyNote}</p>
      </div>
      <CopyLine label={words.token} text={value} />
      <CopyLine label={words.baseUrl} text={baseUrl} />
      {opened.map((model) => (
        <CopyLine
          key={model.id}
          label={opened.length === 1 ? words.model : words.modelOf(model.name)}
          text={model.id}
        />
      ))}
      <p className="quiet small">{words.use}</p>
      <div className="actions">
        <button type="button" onClick={onDone}>
          {words.done}
        </button>
      </div>
    </section>
  )
}
