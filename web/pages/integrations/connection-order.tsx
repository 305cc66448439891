import { useState } from 'react'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import type { Ordered } from './connection-group.ts'

/** Several that do the same: which is asked first. */
export function ConnectionOrder({
  group,
  onChange,
}: {
  group: readonly Ordered[]
  onChange(): Promise<unknown>
}) {
  const { askback } = useSession()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)

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

  const isModels = group[0]?.provider.tools.length === 0
  return (
    <section className="panel" aria-label="Order">
      <div>
        <h3>Which comes first</h3>
        <p className="quiet small">
          {isModels
            ? 'The first key decides which model answers, where an agent names none.'
            : 'The first one is used; the next ones help out where one cannot.'}
        </p>
      </div>
      <ol className="order">
        {group.map(({ provider, connection }, index) => {
          const account = connection.account ?? connection.label
          const name = account ? `${provider.name} (${account})` : provider.name
          return (
            <li key={connection.id}>
              <span>{name}</span>
              {index > 0 && (
                <button
                  type="button"
                  aria-label={`Move ${name} up`}
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
