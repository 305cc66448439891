/** Deletes everything of ours in a database. It runs wherever our schema is, whichever extensions the database has. */
export const dropSql = `do $$
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
drop schema if exists askback, askback_private cascade;
`
