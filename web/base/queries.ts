import { useQuery } from '@tanstack/react-query'
import type { ToolDescription } from '../../client/api/message.ts'
import { frameWords } from './frame-words.ts'
import { useSession } from './session.tsx'

const noTools: ToolDescription[] = []

export function useTools(): ToolDescription[] {
  return useToolsQuery().data ?? noTools
}

/** Why functions refuse the user, if they do: the Data API only shows a refused account no rows. */
export function useRefusal(): Error | null {
  return useToolsQuery().error
}

export function useToolsQuery() {
  const { askback } = useSession()
  return useQuery({ queryKey: ['tools'], queryFn: () => askback.tools(), staleTime: 300_000 })
}

/** The available and the current model of a conversation, or of a new one with this agent; any message can change them. */
export function useModels(place: { agentId: string | undefined; conversationId: string | undefined }) {
  const { askback } = useSession()
  return useQuery({ queryKey: ['models', place], queryFn: () => askback.models(place), staleTime: 0 })
}

export interface Agent {
  id: string
  name: string
  instructions: string
  tool_access: 'all' | 'listed'
  created_at: string
}

export function useAgents() {
  const { supabase } = useSession()
  return useQuery({
    queryKey: ['agents'],
    async queryFn(): Promise<Agent[]> {
      const { data, error } = await supabase
        .schema('askback')
        .from('agents')
        .select('id, name, instructions, tool_access, created_at')
        .order('created_at')
      if (error) throw new Error(frameWords().agentsNotLoaded)
      return data as Agent[]
    },
  })
}
