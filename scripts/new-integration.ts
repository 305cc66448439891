/**
 * `npm run new-integration -- tasks`: creates `supabase/functions/tasks-api`, a working integration, and its test. The
 * files say what to change.
 */
import { execFileSync } from 'node:child_process'
import { StartError } from '../local/process/start-error.ts'
import { makeIntegration } from './new-integration/make-integration.ts'
import { installed, root } from './platform.ts'

try {
  const { tool, name, test, files } = await makeIntegration(root, process.argv[2])
  // Format them: names of another length wrap lines differently.
  const format = ['check', '--write', `supabase/functions/${name}`, test]
  execFileSync(installed('biome'), format, { cwd: root, stdio: 'ignore' })
  console.log(`${files.join('\n')}

It works as it is, with a list of tasks that its test stands in for:

  npm test -- ${test}
  npm start                                              (in another terminal)
  npm run call -- ${tool} '{"query":"printer"}'

Then make it yours: integration.ts says what the model is told, actions.ts what is done. While npm start runs,
both are loaded anew when you save them.`)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
