import { auth, gmail } from '@googleapis/gmail'

export function send(url: string) {
  const oauth = new auth.OAuth2()
  oauth.setCredentials({ access_token: 'token' })
  return gmail({ version: 'v1', auth: oauth, rootUrl: `${url}/` }).users.messages.send({
    userId: 'me',
    requestBody: { raw: btoa('To: ada@example.com\r\n\r\nAt ten.') },
  })
}
