/** The subpath `askback/integration`. */
import type { IntegrationUnderTest } from '../../support/integration-suite.ts'

export * from '../../shared/integration.ts'

/**
 * Registers tests (`node:test`) that try an integration against everything that its provider can do wrong; see
 * docs/tools.md.
 */
export async function runFaultSuite(subject: IntegrationUnderTest): Promise<void> {
  const { describeIntegration } = await import('../../support/integration-suite.ts')
  describeIntegration(subject)
}
