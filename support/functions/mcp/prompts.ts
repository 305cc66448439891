import { ProtocolError, ProtocolErrorCode } from '../../../supabase/functions/mcp/protocol/sdk.ts'
import type { Asking, Exchange, Methods } from '../../../supabase/functions/mcp/protocol/service.ts'
import { image, text } from './media.ts'
import { accepted, form } from './questions.ts'

interface FixturePrompt {
  takes?: string[]
  make(args: Record<string, string>, exchange: Exchange): object[] | Asking
}

const prompts: Record<string, FixturePrompt> = {
  test_simple_prompt: { make: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    takes: ['arg1', 'arg2'],
    make: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    takes: ['resourceUri'],
    make: ({ resourceUri }) => [
      {
        type: 'resource',
        resource: {
          uri: resourceUri,
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        },
      },
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: { make: () => [image, text('Please analyze the image above.')] },
  test_input_required_result_prompt: {
    make(_, { answers }) {
      const context = accepted(answers, 'user_context')?.context
      if (context !== undefined) return [text(`Use this context: ${context}`)]
      const fields = { context: { type: 'string' } }
      return { ask: { user_context: form('What context should the prompt use?', fields, ['context']) } }
    },
  },
}

export const promptMethods: Pick<Methods, 'prompts/list' | 'prompts/get' | 'completion/complete'> = {
  'prompts/list': async () => ({
    prompts: Object.entries(prompts).map(([name, { takes = [] }]) => ({
      name,
      description: `The fixture ${name}.`,
      arguments: takes.map((one) => ({ name: one, description: one, required: true })),
    })),
  }),
  async 'prompts/get'({ name, arguments: args = {} }, exchange) {
    const prompt = prompts[name]
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`)
    const made = prompt.make(args, exchange)
    if (!Array.isArray(made)) return made
    return { messages: made.map((content) => ({ role: 'user', content })) } as never
  },
  'completion/complete': async ({ argument: { value } }) => {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(value))
    return { completion: { values, total: values.length, hasMore: false } }
  },
}
