import { openGmail } from '../../../supabase/functions/gmail-api/gmail.ts'

export const send = (url: string) =>
  openGmail({ accessToken: async () => 'token' }, { baseUrl: url }, new AbortController().signal).post(
    '/messages/send',
    { raw: new TextEncoder().encode('To: ada@example.com\r\n\r\nAt ten.') },
  )
