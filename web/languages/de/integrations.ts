import type { Language } from '../language.ts'

export const integrations: Language['integrations'] = {
  title: 'Integrationen',
  accounts: 'Konten und Schlüssel',
  clients: 'OpenAI-Clients',
  note: 'Womit deine Agenten arbeiten. Schlüssel und Passwörter werden verschlüsselt gespeichert und nie wieder angezeigt.',
  notSetUpLocally:
    'Zum Ausprobieren mit einem simulierten Konto starte den Stack mit ASKBACK_SIMULATE=google. Für echte Konten registriere eine App bei Google und starte den Stack mit ihrer GOOGLE_CLIENT_ID und ihrem GOOGLE_CLIENT_SECRET.',
  backToWaiting: 'Zurück zu dem, was wartet',
  backToChat: 'Zurück zum Chat',
}
