import { askAgentName } from '../../../../shared/server/client-calls/client-call.ts'

/** The tool that asks the agent itself: its model answers, with the same tools. */
export const askAgent = {
  name: askAgentName,
  title: 'Ask the agent',
  description:
    'Asks the agent in words. It uses its own tools, and asks its user before anything that they have to decide. Name the conversation of an earlier answer to go on with it.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      message: { type: 'string', description: 'What the agent is asked to do, or to find out.' },
      conversation: { type: 'string', description: 'The conversation of an earlier answer.' },
    },
    required: ['message'],
  },
  annotations: { title: 'Ask the agent', readOnlyHint: false, destructiveHint: false },
}
