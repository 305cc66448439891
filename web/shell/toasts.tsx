import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { frameWords } from '../base/frame-words.ts'
import { Icon } from '../base/icons.tsx'

interface Toast {
  id: number
  words: string
  kind: 'done' | 'failed'
}

const ShowToast = createContext<(words: string, kind?: Toast['kind']) => void>(() => {})
const shownMs = 6000
let lastId = 0

/** Short messages at the edge; screen readers announce each once. Errors stay until they are closed. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), [])
  const show = useCallback(
    (words: string, kind: Toast['kind'] = 'done') => {
      const id = ++lastId
      setToasts((all) => [...all.slice(-2), { id, words, kind }])
      if (kind === 'done') setTimeout(close, shownMs, id)
    },
    [close],
  )
  return (
    <ShowToast.Provider value={show}>
      {children}
      <div className="toasts" role="status" aria-label={frameWords().notes}>
        {toasts.map(({ id, words, kind }) => (
          <p key={id} className="toast" data-kind={kind}>
            {words}
            <button type="button" className="plain" onClick={() => close(id)}>
              <Icon name="close" />
              <span className="hidden">{frameWords().dismiss}</span>
            </button>
          </p>
        ))}
      </div>
    </ShowToast.Provider>
  )
}

export function useToast() {
  return useContext(ShowToast)
}
