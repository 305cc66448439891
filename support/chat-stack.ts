import { type ModelServer, startModelServer } from './model-server.ts'
import { findSecrets } from './planted-secrets.ts'
import { type StackOptions, startStack, type TestStack } from './stack.ts'

/** The local stack whose only model is a scripted server. */
export interface ChatStack {
  stack: TestStack
  model: ModelServer
  stop(): Promise<void>
}

export async function startChatStack(
  env: Record<string, string> = {},
  options: Omit<StackOptions, 'env'> = {},
): Promise<ChatStack> {
  const model = await startModelServer([])
  const settings = {
    LLM_PROVIDER: 'any',
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'any',
    OPENAI_MODEL: 'scripted-model',
    // The tests are the clock.
    ASKBACK_CLOCK_SECONDS: '3600',
  }
  try {
    const stack = await startStack({ ...options, env: { ...settings, ...env } })
    const stop = async () => {
      await model.close()
      await stack.stop()
      const told = findSecrets(JSON.stringify(model.requests.map(({ body }) => body)), [stack.smtp.password])
      if (told.length > 0) throw new Error(`A model was told secrets: ${told.join(', ')}`)
    }
    return { stack, model, stop }
  } catch (error) {
    await model.close()
    throw error
  }
}
