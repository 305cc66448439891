import { useRef, useState } from 'react'
import { failureSentence } from '../../failure-sentence.ts'
import { showList } from '../../locale.ts'
import { useSession } from '../../session.tsx'
import { useToast } from '../../shell/toasts.tsx'
import { useFocusBack } from '../../use-focus-back.ts'
import type { Ordered } from './connection-group.ts'
import { integrationsWords } from './words.ts'

/** The order in which interchangeable connections are tried. */
export function ConnectionOrder({
  group,
  uses,
  onChange,
}: {
  group: readonly Ordered[]
  /** Titles of the tools that choose among them; empty for language models. */
  uses: readonly string[]
  onChange(): Promise<unknown>
}) {
  const { askback } = useSession()
  const toast = useToast()
  const words = integrationsWords()
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
      toast(failureSentence(error), 'failed')
    }
    await onChange()
    setBusy(false)
  }

  const isModels = uses.length === 0
  return (
    <section className="panel" aria-label={words.orderOf(isModels ? words.modelsOrder : showList(uses))}>
      <div>
        <h3>{words.order}</h3>
        <p className="quiet small">{isModels ? words.modelsOrderNote : words.orderNote(uses)}</p>
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
                  aria-label={words.moveUpThis(name)}
                  disabled={isBusy}
                  onClick={() => void moveUp(index)}
                >
                  {words.moveUp}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
