import { expect, it } from 'vitest'
import type * as Vendored from '../../../scripts/build/vendored-integration.d.ts'
import * as ours from '../../../shared/integration.ts'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never

/** Checked by the compiler: what a function of a project gets is what its types say, member for member. */
export const context = (given: ours.ActionContext): Vendored.ActionContext => given
export const lookContext = (given: ours.LookContext): Vendored.LookContext => given
export const verifyContext = (given: ours.VerifyContext): Vendored.VerifyContext => given
export const toolError = (given: ours.ToolError): Vendored.ToolError => given
export const members: [
  Same<keyof Vendored.ActionContext, keyof ours.ActionContext>,
  Same<keyof Vendored.VerifyContext, keyof ours.VerifyContext>,
  Same<keyof Vendored.IntegrationAction, keyof ours.IntegrationAction>,
  Same<keyof Vendored.Implementation, keyof ours.Implementation>,
  // Who approves is the project's to say, not its tools', and none of these is of a server that others run.
  Same<
    keyof Vendored.ToolSpecification,
    Exclude<keyof ours.ToolSpecification, 'approvers' | 'foreign' | 'mayHavePrivate'>
  >,
  Same<keyof typeof Vendored, keyof typeof ours>,
] = [true, true, true, true, true, true]

it('gives projects types of all that the module exports', () => {
  expect(Object.keys(ours).sort()).toEqual([
    'Changed',
    'Question',
    'ToolCallError',
    'askJson',
    'createIntegrationHandler',
    'integrationTool',
    'toJsonSchema',
    'toolError',
  ])
})
