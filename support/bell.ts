import { readKeys } from '../local/data-directory/keys.ts'
import { ringBells } from '../supabase/functions/chat/bell/ring.ts'
import { readDependencies } from '../supabase/functions/chat/turn/dependencies.ts'
import type { TestStack } from './stack.ts'

/** What the clock has the chat function tell, to its end, with a web app at `https://app.example.com`. */
export function bellOf({
  url,
  dataDirectory,
}: Pick<TestStack, 'url' | 'dataDirectory'>): () => Promise<void> {
  const keys = readKeys(dataDirectory)
  const environment = {
    SUPABASE_URL: url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secretKey }),
    ASKBACK_JWT_SECRET: keys.jwtSecret,
    ASKBACK_FUNCTION_SECRET: keys.functionSecret,
    ASKBACK_CREDENTIALS_KEYS: keys.credentialsKeys,
    ASKBACK_APP_URLS: 'https://app.example.com',
    ASKBACK_ALLOW_PRIVATE_HOSTS: 'true',
  }
  const dependencies = readDependencies(environment, () => {})
  return async () => void (await (await ringBells(dependencies)).told)
}
