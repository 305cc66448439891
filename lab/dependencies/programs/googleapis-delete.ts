import { auth, gmail } from '@googleapis/gmail'

export function send(url: string) {
  const oauth = new auth.OAuth2()
  oauth.setCredentials({ access_token: 'token' })
  const labels = gmail({ version: 'v1', auth: oauth, rootUrl: `${url}/` }).users.labels
  return labels.delete({ userId: 'me', id: 'l1' })
}
