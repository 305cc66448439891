/**
 * Writes what is made of the schemas of the routes: `docs/api.md`, `docs/openapi.json` and the types of the web client.
 * With `--check` it writes nothing and fails where one of them is stale, or the description is not valid OpenAPI 3.1.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { makePage } from './api/markdown.ts'
import { makeOpenApi } from './api/openapi.ts'
import { makeTypes } from './api/typescript.ts'
import { root } from './platform.ts'

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const openApi = makeOpenApi(version)
const files: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
  'docs/api.md': makePage(),
  'client/api/types.ts': makeTypes(openApi.components.schemas),
}

const { valid, errors } = await new Validator().validate(structuredClone(openApi))
if (!valid) {
  console.error(`docs/openapi.json is not OpenAPI 3.1: ${JSON.stringify(errors, null, 2)}`)
  process.exitCode = 1
}
for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) await writeFile(join(root, file), text)
  else if (text !== (await readFile(join(root, file), 'utf8').catch(() => ''))) {
    console.error(`${file} does not fit the schemas in shared/api: run \`npx tsx scripts/api.ts\`.`)
    process.exitCode = 1
  }
}
