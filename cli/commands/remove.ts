import type { Call, ExitCode } from '../command/command.ts'
import { confirm } from '../command/confirm.ts'
import { applyChanges, type Change, describeChanges, pending, readProjectFile } from '../project/changes.ts'
import { withoutAskback } from '../project/config-file.ts'
import { exampleWithoutAskback, secretsPath } from '../project/env-files.ts'
import { configPath } from '../project/installation.ts'
import { ownMigrations } from '../project/migrations.ts'
import { isChanged, recordPath, requireRecord } from '../project/record.ts'

/** `askback remove`: takes out what `askback add` has put in, and says what stays. */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const record = requireRecord(project)
  const files = Object.keys(record.files)
  const kept = files.filter((path) => isChanged(project, record, path))
  const example = exampleWithoutAskback(project)
  const changes: Change[] = [
    {
      path: configPath,
      text: withoutAskback(readProjectFile(project, configPath) ?? ''),
      about: 'the block and "askback" among the exposed schemas',
    },
    ...(example ? [example] : []),
    ...files.filter((path) => !kept.includes(path)).map((path): Change => ({ path, text: undefined })),
    // Last, so that this can be repeated if it is interrupted.
    { path: recordPath, text: undefined },
  ]
  const versions = ownMigrations(project).map(({ version }) => version)
  const all = pending(project, changes)
  console.log(`In ${project}:\n${describeChanges(project, all)}`)
  if (call.isOn('dry-run')) return 0
  if (!call.isOn('yes')) await confirm('Go on?')
  applyChanges(project, all)
  for (const path of kept) console.log(`${path} was changed by hand and stays.`)
  for (const name of record.own) {
    console.log(
      `supabase/functions/${name} is yours and stays, and so does its migration. Neither works without Askback: remove them, too.`,
    )
  }
  console.log(whatStays(Object.values(record.functions), versions))
  return 0
}

function whatStays(slugs: string[], versions: string[]): string {
  const repair =
    versions.length > 0 ? `\n  supabase migration repair --status reverted ${versions.join(' ')}` : ''
  return `
What stays: your secrets in ${secretsPath} (with its .gitignore), the folder .askback, and in a linked project the
functions, their secrets, and all data of Askback. This deletes the functions and forgets the migrations:

  supabase functions delete ${slugs.join(' && supabase functions delete ')}${repair}

This SQL deletes the data. (Empty the bucket askback-files in the dashboard first: SQL forgets files, and keeps their bytes.)

${dropSql}`
}

/** Runs wherever our schema is, whichever extensions the database has. */
const dropSql = `do $$
begin
  if to_regnamespace('cron') is not null then
    perform cron.unschedule(jobid) from cron.job where jobname like 'askback%';
  end if;
  if to_regclass('storage.buckets') is not null then
    perform set_config('storage.allow_delete_query', 'true', true);
    delete from storage.objects where bucket_id = 'askback-files';
    delete from storage.buckets where id = 'askback-files';
  end if;
  if to_regclass('vault.secrets') is not null then
    delete from vault.secrets where name in ('askback_chat_url', 'askback_function_secret');
  end if;
end
$$;
drop schema if exists askback cascade;
`
