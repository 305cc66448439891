import { ApiError } from '../http/api-error.ts'
import { writeLog } from '../log/log-line.ts'
import { schemaVersion } from '../version.ts'

/**
 * The refusal while code and database do not fit each other: only the functions or only the migrations were updated.
 * Nothing was done, so the same request may be sent again. The log tells the operator what to do.
 */
export function versionRefused(): ApiError {
  const cause = `This code is of version ${schemaVersion}, and "select askback.version()" says which code the database accepts: if that is older, push the migrations; if it is newer, deploy the functions.`
  writeLog('version-not-accepted', { version: schemaVersion }, cause)
  return new ApiError('version_not_accepted')
}
