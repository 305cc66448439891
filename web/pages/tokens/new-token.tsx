import { useEffect, useRef } from 'react'
import type { AgentModel, ApiToken } from '../../../client/api-token.ts'
import { CopyLine } from './copy-line.tsx'

/** The one time that a token is seen, with what else an OpenAI client asks for. */
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
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const opened = models.filter(({ id }) => agents === null || agents.includes(id))
  return (
    <section className="panel made-token" aria-label="Your new token">
      <div>
        <h2 ref={heading} tabIndex={-1}>
          Copy “{name}” now
        </h2>
        <p className="quiet">Copy it now: it won’t be shown again. Only its fingerprint is kept.</p>
      </div>
      <CopyLine label="Token" text={value} />
      <CopyLine label="Base URL" text={baseUrl} />
      {opened.map((model) => (
        <CopyLine
          key={model.id}
          label={opened.length === 1 ? 'Model' : `Model: ${model.name}`}
          text={model.id}
        />
      ))}
      <p className="quiet small">
        In Open WebUI, LibreChat or the OpenAI SDK, add an “OpenAI” connection with this base URL and the
        token as its API key. Answer your agents’ questions here, in the app.
      </p>
      <div className="actions">
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  )
}
