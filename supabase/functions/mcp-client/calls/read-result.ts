import { outputOf, unwrapResult } from '../../../../shared/integrations/mcp/unwrap-result.ts'
import type { AddFile } from '../../../../shared/server/files/add-file.ts'
import { fileLimits } from '../../../../shared/server/files/file-limits.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import type { CallToolResult } from '../protocol/sdk.ts'

const limits = { files: fileLimits.files, bytes: fileLimits.file }

/**
 * What a model reads of a result, whose files are stored for the user. One that cannot be stored is only counted: the tool has
 * done what it does.
 */
export async function readResult(userId: string, result: CallToolResult, addFile: AddFile): Promise<unknown> {
  const unwrapped = unwrapResult(result, limits)
  const stored = []
  for (const { filename, mediaType, bytes } of unwrapped.files) {
    try {
      const { id, size } = await addFile(userId, { filename, mediaType }, inOne(bytes))
      stored.push({ file_id: id, filename, mediaType, size })
    } catch (cause) {
      writeLog('result-file-not-stored', {}, cause)
    }
  }
  return outputOf(unwrapped, stored)
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
