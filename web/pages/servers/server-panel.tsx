import { useState } from 'react'
import type { McpServer, McpServerChange } from '../../../client/api/types.ts'
import type { ServerCalls } from './server-calls.ts'
import { ServerChanges } from './server-changes.tsx'
import { serversWords } from './words.ts'

/** One server: how it is, what of it is new, and folded its tools. */
export function ServerPanel({
  server,
  calls,
  isBusy,
  onSignIn,
  onRefresh,
  onRemove,
  onChange,
  onAccept,
}: {
  server: McpServer
  calls: ServerCalls
  isBusy: boolean
  onSignIn(): void
  onRefresh(): void
  onRemove(): void
  onChange(change: McpServerChange): Promise<void>
  onAccept(tool: string): void
}) {
  const words = serversWords()
  const { name, title, url, scope, status, notes, tools, changeable, changes } = server
  const mayChange = changeable && !isBusy
  /** What is being saved is shown as if it was. */
  const [saved, setSaved] = useState<McpServerChange>({})
  const save = async (change: McpServerChange) => {
    setSaved(change)
    await onChange(change)
    setSaved({})
  }
  return (
    <section className="panel stack" aria-label={name}>
      <div>
        <h2 dir="auto">{name}</h2>
        <p className="quiet small" dir="auto">
          {[title, new URL(url).host, scope === 'project' && words.ofProject, words.statuses[status]]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {notes.length > 0 && (
        <ul className="quiet small">
          {notes.map((note) => (
            <li key={note} dir="auto">
              {note}
            </li>
          ))}
        </ul>
      )}
      <div className="actions">
        {status === 'sign_in' && (
          <button type="button" className="primary" aria-label={words.signInThis(name)} onClick={onSignIn}>
            {words.signIn}
          </button>
        )}
        {changeable && (
          <>
            <button type="button" disabled={isBusy} aria-label={words.refreshThis(name)} onClick={onRefresh}>
              {words.refresh}
            </button>
            <button type="button" disabled={isBusy} aria-label={words.removeThis(name)} onClick={onRemove}>
              {words.remove}
            </button>
          </>
        )}
      </div>
      {changes > 0 && <ServerChanges server={server} calls={calls} isBusy={!mayChange} onAccept={onAccept} />}
      {tools.length > 0 && (
        <details>
          <summary>{words.tools(tools.length)}</summary>
          <fieldset className="choices">
            {tools.map(({ name: tool, title: toolTitle, effect, on }) => (
              <label key={tool}>
                <input
                  type="checkbox"
                  checked={saved.tools?.find((one) => one.name === tool)?.on ?? on}
                  disabled={!mayChange}
                  onChange={({ target }) => void save({ tools: [{ name: tool, on: target.checked }] })}
                />
                <span dir="auto">
                  {toolTitle}{' '}
                  <span className="quiet small">· {effect === 'read' ? words.reads : words.writes}</span>
                </span>
              </label>
            ))}
          </fieldset>
        </details>
      )}
      <fieldset className="choices">
        <label>
          <input
            type="checkbox"
            checked={saved.trusted ?? server.trusted}
            disabled={!mayChange}
            onChange={({ target }) => void save({ trusted: target.checked })}
          />
          <span>
            {words.trusted} <span className="quiet small">{words.trustedNote}</span>
          </span>
        </label>
        <label>
          <input
            type="checkbox"
            checked={saved.private ?? server.private}
            disabled={!mayChange}
            onChange={({ target }) => void save({ private: target.checked })}
          />
          <span>
            {words.private} <span className="quiet small">{words.privateNote}</span>
          </span>
        </label>
      </fieldset>
    </section>
  )
}
