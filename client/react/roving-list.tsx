import { createContext, type KeyboardEvent, type ReactNode, useContext, useState } from 'react'

/** Id of the row where Tab stops; undefined outside of such a list. */
const Stop = createContext<string | null | undefined>(undefined)
/** Marks what the arrows lead to. */
const rowMark = 'data-row'

/**
 * Rows that are one stop of the Tab key, however many they are: the arrows lead from row to row, and sideways to a row's
 * menu; Home and End to the first and the last one.
 */
export function RovingList({
  ids,
  openId,
  children,
}: {
  ids: readonly string[]
  /** The row that is open: Tab stops there, until another one was visited. */
  openId: string | undefined
  children: ReactNode
}) {
  const [visited, setVisited] = useState<string>()
  const listed = (id: string | undefined) => ids.find((one) => one === id)
  const stop = listed(visited) ?? listed(openId) ?? ids[0] ?? null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are heard for the rows in it
    <div
      className="askback-conversations"
      onFocus={({ target }) => {
        const row = target.closest(`[${rowMark}], li`)
        const id = (row?.matches('li') ? row.querySelector(`[${rowMark}]`) : row)?.getAttribute(rowMark)
        if (id) setVisited(id)
      }}
      onKeyDown={move}
    >
      <Stop.Provider value={stop}>{children}</Stop.Provider>
    </div>
  )
}

/** What a row, or the end of the list, is marked with. */
export function useStop(id: string): { tabIndex?: number; [rowMark]?: string } {
  const stop = useContext(Stop)
  return stop === undefined ? {} : { tabIndex: stop === id ? 0 : -1, [rowMark]: id }
}

/** Leads into the list from what stands above it. */
export function enterList(within: Element | null): void {
  within?.querySelector<HTMLElement>(`[${rowMark}][tabindex="0"]`)?.focus()
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: list, target, key } = event
  // What is typed is text; and menus stand elsewhere on the page.
  if (!(target instanceof HTMLElement) || !list.contains(target) || target.matches('input')) return
  const next = findNext(list, target, key)
  if (!next) return
  event.preventDefault()
  next.focus()
}

function findNext(list: HTMLElement, from: HTMLElement, key: string): HTMLElement | null | undefined {
  const rows = [...list.querySelectorAll<HTMLElement>(`[${rowMark}]`)]
  const at = rows.findIndex((row) => row === from || row.parentElement?.contains(from))
  switch (key) {
    case 'ArrowDown':
      return rows[at + 1]
    case 'ArrowUp':
      return rows[at - 1]
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    case 'ArrowRight':
    case 'ArrowLeft':
      return rows[at] === from ? from.parentElement?.querySelector<HTMLElement>('button') : rows[at]
    default:
      return undefined
  }
}
