import { openGmail } from '../../../supabase/functions/gmail-api/gmail.ts'

export const send = (url: string) =>
  openGmail({ accessToken: async () => 'token' }, { baseUrl: url }, new AbortController().signal).act({
    method: 'DELETE',
    path: '/labels/l1',
  })
