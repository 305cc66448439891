import { useRef, useState } from 'react'
import { showList } from '../../../shared/words/locale.ts'
import type { Askback } from '../../askback.ts'
import { describeFailure } from '../../labels/failure.ts'
import { useFocusBack } from '../interaction/use-focus-back.ts'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'
import type { Ordered } from './connection-group.ts'
import type { ShowNote } from './show-note.ts'

/** The order in which interchangeable connections are tried. */
export function ConnectionOrder({
  askback,
  group,
  uses,
  onNote,
  onChange,
}: {
  askback: Askback
  group: readonly Ordered[]
  /** Titles of the tools that choose among them; empty for language models. */
  uses: readonly string[]
  onNote: ShowNote
  onChange(): Promise<unknown>
}) {
  const labels = useLabels()
  const words = useIntegrationLabels()
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
      onNote(describeFailure(error, labels), 'failed')
    }
    await onChange()
    setBusy(false)
  }

  const isModels = uses.length === 0
  return (
    <section
      className="askback-provider"
      aria-label={words.orderOf(isModels ? words.modelsOrder : showList(uses, labels.locale))}
    >
      <div>
        <h3>{words.order}</h3>
        <p className="askback-quiet askback-small">
          {isModels ? words.modelsOrderNote : words.orderNote(uses)}
        </p>
      </div>
      <ol ref={list} tabIndex={-1} className="askback-order">
        {group.map(({ provider, connection }, index) => {
          const account = connection.account ?? connection.label
          const name = account ? `${provider.name} (${account})` : provider.name
          return (
            <li key={connection.id}>
              <span>{name}</span>
              {index > 0 && (
                <div className="askback-actions">
                  <button
                    type="button"
                    aria-label={words.moveUpThis(name)}
                    disabled={isBusy}
                    onClick={() => void moveUp(index)}
                  >
                    {words.moveUp}
                  </button>
                </div>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
