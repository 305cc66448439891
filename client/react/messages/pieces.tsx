import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useMemo,
} from 'react'
import type { CallView } from '../calls/call-view.ts'
import { ToolCard } from '../calls/tool-card.tsx'
import { ToolRun } from '../calls/tool-run.tsx'
import { ApprovalCard } from '../cards/approval-card.tsx'
import { ConnectCard } from '../cards/connect-card.tsx'
import { QuestionForm } from '../cards/question-form.tsx'
import { ServerCard } from '../cards/server-card.tsx'
import { SeveralApprovals } from '../cards/several-approvals.tsx'
import { WaitCard } from '../cards/wait-card.tsx'
import { DoneBefore } from './done-before.tsx'
import { FileBlock } from './file-block.tsx'
import { Sources } from './sources.tsx'
import { Thought } from './thought.tsx'

const own = {
  ApprovalCard,
  ConnectCard,
  DoneBefore,
  FileBlock,
  QuestionForm,
  ServerCard,
  SeveralApprovals,
  Sources,
  Thought,
  ToolCard,
  ToolRun,
  WaitCard,
}

/** The components of a conversation; an app can replace each with its own, with the same props. */
export type Pieces = { [Name in keyof typeof own]: ComponentType<ComponentProps<(typeof own)[Name]>> }

/** Shows the calls of one tool: the last attempt, and all attempts. */
export type ToolView = ComponentType<{ call: CallView; attempts: readonly CallView[] }>

const Given = createContext<{ pieces: Pieces; toolViews: Readonly<Record<string, ToolView>> }>({
  pieces: own,
  toolViews: {},
})

/** Replaces our components with the app's own in the conversations below it. */
export function PiecesProvider({
  components,
  toolViews = {},
  children,
}: {
  components?: Partial<Pieces>
  /** By tool name: `{ docs_create_document: MyDocument }`. */
  toolViews?: Readonly<Record<string, ToolView>>
  children: ReactNode
}) {
  const given = useMemo(
    () => ({ pieces: { ...own, ...components }, toolViews }),
    // Most apps create these objects inline.
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

/** The app's own view of a tool, if it has one. */
export function useToolView(toolName: string | undefined): ToolView | undefined {
  const { toolViews } = useContext(Given)
  return toolName !== undefined && Object.hasOwn(toolViews, toolName) ? toolViews[toolName] : undefined
}
