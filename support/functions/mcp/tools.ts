import { ProtocolError, ProtocolErrorCode } from '../../../supabase/functions/mcp/protocol/sdk.ts'
import type { Asking, Exchange, Methods } from '../../../supabase/functions/mcp/protocol/service.ts'
import { askingTools } from './asking-tools.ts'
import { plainTools } from './plain-tools.ts'

export interface FixtureTool {
  properties?: Record<string, object>
  run(
    args: Record<string, unknown>,
    exchange: Exchange,
  ): Promise<Asking | { content: object[]; isError?: boolean }>
}

const tools: Record<string, FixtureTool> = { ...plainTools, ...askingTools }

export const toolMethods: Pick<Methods, 'tools/list' | 'tools/call'> = {
  'tools/list': async () => ({
    tools: Object.entries(tools).map(([name, { properties = {} }]) => ({
      name,
      description: `The fixture ${name}.`,
      inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    })) as never,
  }),
  async 'tools/call'({ name, arguments: args = {} }, exchange) {
    const tool = tools[name]
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`)
    return (await tool.run(args, exchange)) as never
  },
}
