import type { Change } from '../project/changes.ts'
import { commandToSetSecrets, secretsPath } from '../project/env-files.ts'
import type { ProjectRecord } from '../project/record.ts'

/** The last step of every deployment: the Supabase CLI hides the warnings of migrations. */
export const lastStep = `Finally, and after every later \`supabase db push\` (which shows no warnings):

  npx askback doctor --linked

It reports what is still missing and how to fix it.`

/** What to do after Askback was added. */
export function firstSteps(project: string, { chat }: Record<string, string>): string {
  return `
Done. Try it on this machine:

  npx askback dev

To bring it to a linked project, add a model key to ${secretsPath}, and then:

  supabase db push
  ${commandToSetSecrets(project)}
  supabase functions deploy

In the dashboard, expose the schema "askback" (Project Settings, Data API). Waiting runs continue by themselves once the
Vault has the address of the function and the value of ASKBACK_FUNCTION_SECRET:

  select vault.create_secret('https://YOUR_REF.supabase.co/functions/v1/${chat}', 'askback_chat_url');
  select vault.create_secret('…', 'askback_function_secret');

${lastStep}`
}

/** What to do after other functions or names were chosen for a project that has Askback. */
export function stepsOfChange(
  project: string,
  { functions: before }: ProjectRecord,
  functions: Record<string, string>,
  changes: readonly Change[],
): string {
  const has = (path: string) => changes.some((change) => change.path.startsWith(path))
  const gone = Object.values(before).filter((slug) => !Object.values(functions).includes(slug))
  const commands = [
    ...(has('supabase/migrations/') ? ['supabase db push'] : []),
    ...(has(secretsPath) ? [commandToSetSecrets(project)] : []),
    'supabase functions deploy',
    ...gone.map((slug) => `supabase functions delete ${slug}`),
  ]
  const { chat } = functions
  return `
Done. Start \`npx askback dev\` again, and bring it to a linked project:

  ${commands.join('\n  ')}${chat === before.chat ? '' : stepsOfRenamedChat(chat)}

${lastStep}`
}

function stepsOfRenamedChat(chat: string | undefined): string {
  return `

Then tell the Vault the new address:

  select vault.update_secret(id, 'https://YOUR_REF.supabase.co/functions/v1/${chat}')
  from vault.secrets where name = 'askback_chat_url';

And tell your app its name: createAskback(supabase, { functions: { chat: '${chat}' } }). A page that \`askback web\` wrote has to be written again.`
}
