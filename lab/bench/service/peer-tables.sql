create table public.peer_chats (
  id text primary key,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);

create table public.peer_messages (
  id text primary key,
  chat_id text not null references public.peer_chats (id) on delete cascade,
  user_id uuid not null default auth.uid(),
  role text not null,
  parts jsonb not null,
  position bigint generated always as identity
);

create index on public.peer_messages (chat_id, position);

alter table public.peer_chats enable row level security;
alter table public.peer_messages enable row level security;
grant select, insert, update, delete on public.peer_chats, public.peer_messages to authenticated;

create policy "own chats" on public.peer_chats for all to authenticated
using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "own messages" on public.peer_messages for all to authenticated
using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
