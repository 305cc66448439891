import { useRef, useState } from 'react'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { useFocusBack } from '../../use-focus-back.ts'
import type { Ordered } from './connection-group.ts'

/** Several that do the same: which is asked first. */
export function ConnectionOrder({
  group,
  uses,
  onChange,
}: {
  group: readonly Ordered[]
  /** Titles of the tools that choose among them; none: language models. */
  uses: readonly string[]
  onChange(): Promise<unknown>
}) {
  const { askback } = useSession()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  useFocusBack(isBusy, list)

  const moveUp = async (index: number) => {
    const order = [...group]
    order.splice(index - 1, 0, ...order.splice(index, 1))
    setBusy(true)
    try {
      for (const [position, { connection }] of order.entries()) {
        if (connection.position !== position) await askback.connections.change(connection.id, { position })
      }
    } catch (error) {
      toast((error as Error).message, 'failed')
    }
    await onChange()
    setBusy(false)
  }

  const isModels = uses.length === 0
  return (
    <section className="panel" aria-label={`Order: ${isModels ? 'language models' : uses.join(', ')}`}>
      <div>
        <h3>Which comes first</h3>
        <p className="quiet small">
          {isModels
            ? 'Agents without a model of their own use the first key.'
            : `For ${uses.map((use) => `“${use}”`).join(' and ')}: the first one is used; the others step in if it fails.`}
        </p>
      </div>
      <ol ref={list} tabIndex={-1} className="order">
        {group.map(({ provider, connection }, index) => {
          const account = connection.account ?? connection.label
          const name = account ? `${provider.name} (${account})` : provider.name
          return (
            <li key={connection.id}>
              <span>{name}</span>
              {index > 0 && (
                <button
                  type="button"
                  aria-label={`Move up: ${name}`}
                  disabled={isBusy}
                  onClick={() => void moveUp(index)}
                >
                  Move up
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
