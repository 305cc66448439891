import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useMemo,
} from 'react'
import { ApprovalCard } from './approval-card.tsx'
import type { CallView } from './call-view.ts'
import { ConnectCard } from './connect-card.tsx'
import { FileBlock } from './file-block.tsx'
import { QuestionForm } from './question-form.tsx'
import { Sources } from './sources.tsx'
import { Thought } from './thought.tsx'
import { ToolCard } from './tool-card.tsx'
import { WaitCard } from './wait-card.tsx'

const own = { ApprovalCard, ConnectCard, FileBlock, QuestionForm, Sources, Thought, ToolCard, WaitCard }

/** What a conversation is made of; each can be an app's own, with the same props. */
export type Pieces = { [Name in keyof typeof own]: ComponentType<ComponentProps<(typeof own)[Name]>> }

/** How the calls of one tool are shown: the last attempt, and all of them. */
export type ToolView = ComponentType<{ call: CallView; attempts: readonly CallView[] }>

const Given = createContext<{ pieces: Pieces; toolViews: Readonly<Record<string, ToolView>> }>({
  pieces: own,
  toolViews: {},
})

/** Puts an app's own pieces in the place of ours in the conversations below it. */
export function PiecesProvider({
  components,
  toolViews = {},
  children,
}: {
  components?: Partial<Pieces>
  /** By the name of the tool: `{ docs_create_document: MyDocument }`. */
  toolViews?: Readonly<Record<string, ToolView>>
  children: ReactNode
}) {
  const given = useMemo(
    () => ({ pieces: { ...own, ...components }, toolViews }),
    // Most apps write these objects where they use them.
    [
      ...Object.keys(own).map((name) => components?.[name as keyof Pieces]),
      JSON.stringify(Object.keys(toolViews)),
      ...Object.values(toolViews),
    ],
  )
  return <Given.Provider value={given}>{children}</Given.Provider>
}

export function usePieces(): Pieces {
  return useContext(Given).pieces
}

/** The app's own view of a tool, where it has one. */
export function useToolView(toolName: string | undefined): ToolView | undefined {
  const { toolViews } = useContext(Given)
  return toolName !== undefined && Object.hasOwn(toolViews, toolName) ? toolViews[toolName] : undefined
}
