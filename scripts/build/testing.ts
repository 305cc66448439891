/** What tests of a project's own integrations stand on; they import it as `_askback/testing.js`. See docs/tools.md. */
export { describeIntegration, openIntegration } from '../../support/integration-suite.ts'
export { startScriptedProvider } from '../../support/scripted-provider.ts'
