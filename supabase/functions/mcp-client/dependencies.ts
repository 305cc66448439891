import { readProjectRules, underRules } from '../../../shared/server/authentication/project-rules.ts'
import {
  type Environment,
  readProjectSettings,
  readProjectUrl,
} from '../../../shared/server/authentication/project-settings.ts'
import { type Keyring, readKeyring } from '../../../shared/server/credentials/keyring.ts'
import { type CallRpc, createRpc, createRpcStream } from '../../../shared/server/database/call-rpc.ts'
import { type AddFile, createAddFile } from '../../../shared/server/files/add-file.ts'
import { createBucket } from '../../../shared/server/files/storage-bucket.ts'
import { readFunctionPath } from '../../../shared/server/functions/function-names.ts'
import { type AppUrls, readAppUrls } from '../../../shared/server/links/app-urls.ts'
import type { Reach } from './protocol/named-server.ts'
import type { SignInStore } from './sign-in/store.ts'
import { createStoredSignIns } from './sign-in/stored-sign-ins.ts'

/** The external dependencies of the function. */
export interface ClientDependencies {
  rpc: CallRpc
  functionSecret: string | undefined
  reach: Omit<Reach, 'signal'>
  signIns: SignInStore
  /** Opens the headers that somebody has stored for a server. */
  openKeyring: () => Promise<Keyring>
  /** Where users sign in with a server. */
  appUrls: AppUrls
  /** Stores the files of results. */
  addFile: AddFile
  /** Under which browsers and authorization servers know the function. */
  publicUrl: string
}

/** Builds the dependencies from environment variables; throws if Supabase's own are missing. */
export function readDependencies(env: Environment): ClientDependencies {
  const { url, serviceKey, functionSecret } = readProjectSettings(env)
  const rpc = underRules(createRpc({ url, serviceKey }), readProjectRules(env))
  let keyring: Promise<Keyring> | undefined
  const openKeyring = () => {
    keyring ??= readKeyring(env.ASKBACK_CREDENTIALS_KEYS)
    return keyring
  }
  return {
    rpc,
    functionSecret,
    reach: { allowLoopback: env.ASKBACK_ALLOW_PRIVATE_HOSTS === 'true' },
    addFile: createAddFile(rpc, createRpcStream({ url, serviceKey }), createBucket({ url, serviceKey })),
    openKeyring,
    appUrls: readAppUrls(env),
    signIns: createStoredSignIns(rpc, openKeyring),
    publicUrl: `${readProjectUrl(env)}${readFunctionPath(env)('mcp-client')}`,
  }
}
