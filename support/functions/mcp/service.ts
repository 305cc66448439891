import type { Service } from '../../../supabase/functions/mcp/protocol/service.ts'
import { text } from './media.ts'
import { promptMethods } from './prompts.ts'
import { resourceMethods } from './resources.ts'
import { toolMethods } from './tools.ts'

export const service: Service = {
  about: { name: 'askback-fixture', version: '1.0.0' },
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} },
  methods: { ...toolMethods, ...resourceMethods, ...promptMethods },
  unfinished: ({ name }) => ({ content: [text(`${name} goes on without you.`)] }),
}
