import type { Finding } from '../finding.ts'
import type { Target } from '../target.ts'
import { checkExposed } from './exposed.ts'
import { checkHealth } from './health.ts'
import { checkIssuer } from './issuer.ts'
import type { ServiceCheck } from './services.ts'
import { checkSigningKeys } from './signing-keys.ts'

const checks: readonly ServiceCheck[] = [checkExposed, checkSigningKeys, checkIssuer, checkHealth]

/** What the services of the project say. */
export async function checkServices(
  { url, publishableKey, kind, secrets }: Target,
  chat: string | undefined,
): Promise<Finding[]> {
  if (!url) return []
  const findings = await Promise.all(
    checks.map((check) => check({ url, publishableKey, kind, secrets, chat })),
  )
  return findings.flat(2)
}
