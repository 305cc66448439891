import { createFunctionApp } from '../../../shared/server/integration-function/integration-app.ts'
import { createActions } from './actions.ts'
import { integration } from './integration.ts'

Deno.serve(createFunctionApp(integration, createActions, Deno.env.toObject()).fetch)
