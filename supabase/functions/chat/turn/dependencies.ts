import { createModelMemory } from '../../../../shared/engine/models/model-memory.ts'
import {
  createModelFromSettings,
  type ModelPreference,
} from '../../../../shared/engine/models/model-settings.ts'
import type { ModelClient } from '../../../../shared/engine/models/protocol/model-client.ts'
import { readModelWindows } from '../../../../shared/engine/models/window-settings.ts'
import { readProjectRules, underRules } from '../../../../shared/server/authentication/project-rules.ts'
import {
  type Environment,
  readProjectSettings,
  readProjectUrl,
} from '../../../../shared/server/authentication/project-settings.ts'
import type { VerifyUserToken } from '../../../../shared/server/authentication/user-token.ts'
import { type CallRpc, createRpc, createRpcStream } from '../../../../shared/server/database/call-rpc.ts'
import { type AddFile, createAddFile } from '../../../../shared/server/files/add-file.ts'
import { createFileStore, type FileStore } from '../../../../shared/server/files/file-store.ts'
import { createBucket } from '../../../../shared/server/files/storage-bucket.ts'
import {
  type CatalogueRow,
  readFunctionPath,
  readInstalled,
} from '../../../../shared/server/functions/function-names.ts'
import { type AppUrls, readAppUrls } from '../../../../shared/server/links/app-urls.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { type OwnModelKey, withOwnKeys } from '../../../../shared/server/model-keys/own-model-keys.ts'
import { createFileLinks, type FileLinks } from '../files/file-links.ts'
import { createSpanExporter, type SpanExporter } from '../tracing/span-exporter.ts'
import { readApprovalDays } from './approval-days.ts'
import { createRecentRefusals, type RecentRefusals, rateOfFiles } from './recent-refusals.ts'

/** The external dependencies of the chat function. */
export interface ChatDependencies {
  verify: VerifyUserToken
  /** Every key by which a server of the project may call. */
  secretKeys: readonly string[]
  /** `ASKBACK_REQUIRE_AAL2`. */
  requireAal2?: boolean
  rpc: CallRpc
  /** With the user's own keys before the server's. Throws AgentError if no model is configured. */
  createModel: (preference: ModelPreference | null, keys?: readonly OwnModelKey[]) => ModelClient
  /** Settings of the models. */
  modelSettings: Environment
  /** `ASKBACK_CREDENTIALS_KEYS`. */
  credentialsKeys: string | undefined
  /** URL of a function of this project, or of one of its routes: `chat/open`. */
  functionUrl: (route: string) => string
  /** The same, as somebody outside of the project calls it. */
  publicUrl: (route: string) => string
  /** Whether the function of a tool or provider is in this project. */
  isInstalled: (row: CatalogueRow) => boolean
  functionSecret: string | undefined
  files: FileStore
  addFile: AddFile
  fileLinks: FileLinks
  /** Base URL of links in questions. */
  appUrls: AppUrls
  /** How long an approval stays valid, in milliseconds. */
  approvalMs: number
  fetch: typeof fetch
  /** `ASKBACK_ALLOW_PRIVATE_HOSTS`: the bell may ring on this machine itself. */
  allowPrivateHosts: boolean
  /** Where runs are traced to; undefined if nowhere. */
  spans: SpanExporter | undefined
  /** The rates that this process has seen exceeded. */
  refusals: RecentRefusals
  /** Keeps the process until this is over, even if the client has left (`EdgeRuntime.waitUntil` on Supabase). */
  keepAlive: (work: Promise<unknown>) => void
}

/** Builds the dependencies from environment variables; throws if Supabase's own are missing. */
export function readDependencies(
  env: Environment,
  keepAlive: ChatDependencies['keepAlive'],
): ChatDependencies {
  const { url, serviceKey, secretKeys, verify, functionSecret } = readProjectSettings(env)
  if (!functionSecret) {
    const consequence = 'waiting runs are not resumed, and API tokens cannot call tools'
    writeLog('not-configured', { setting: 'ASKBACK_FUNCTION_SECRET', consequence })
  }
  // Said now, not in each run.
  readModelWindows(env.ASKBACK_MODEL_WINDOWS)
  // One per process, so that a model that asked for a pause gets it from every run.
  const memory = createModelMemory()
  const rules = readProjectRules(env)
  const rpc = underRules(createRpc({ url, serviceKey }), rules)
  const pathOf = readFunctionPath(env)
  const publicUrl = (route: string) => `${readProjectUrl(env)}${pathOf(route)}`
  const bucket = createBucket({ url, serviceKey })
  const refusals = createRecentRefusals()
  const addFile = createAddFile(rpc, createRpcStream({ url, serviceKey }), bucket)
  return {
    verify,
    secretKeys,
    requireAal2: rules.requireAal2,
    rpc,
    createModel: (preference, keys = []) =>
      createModelFromSettings(withOwnKeys(env, preference, keys), preference, {
        // A provider's answer to one user's key says nothing about the others, except how much its models read.
        memory: keys.length > 0 ? createModelMemory(memory) : memory,
      }),
    modelSettings: env,
    credentialsKeys: env.ASKBACK_CREDENTIALS_KEYS,
    functionUrl: (route) => `${url}${pathOf(route)}`,
    publicUrl,
    isInstalled: readInstalled(env),
    functionSecret,
    files: createFileStore(rpc, bucket),
    addFile: (userId, file, chunks) =>
      refusals.unlessRefused(rateOfFiles(userId), () => addFile(userId, file, chunks)),
    fileLinks: createFileLinks({ filesUrl: publicUrl('chat/files/'), serviceKey }),
    appUrls: readAppUrls(env),
    approvalMs: readApprovalDays(env.ASKBACK_APPROVAL_DAYS) * 24 * 3_600_000,
    fetch,
    allowPrivateHosts: env.ASKBACK_ALLOW_PRIVATE_HOSTS === 'true',
    spans: createSpanExporter(env, { fetch, keepAlive }),
    refusals,
    keepAlive,
  }
}
