import type { Language } from '../language.ts'

export const integrations: Language['integrations'] = {
  title: 'Integrationen',
  accounts: 'Konten und Schlüssel',
  servers: 'Server',
  clients: 'OpenAI-Clients',
  apps: 'Verbundene Apps',
  appsNote: 'Programme, die deine Agenten über MCP benutzen, jedes in den Grenzen, die du ihm setzt.',
  mcpAddress: 'Adresse für MCP-Clients',
  mcpNote:
    'Trage sie in Claude Code, Cursor oder einem anderen MCP-Client als Server über HTTP ein. Er öffnet hier eine Seite, die dich fragt.',
  unasked: 'Ohne Nachfrage',
  unaskedNote: 'Was geschieht, ohne dass du vorher gefragt wirst. Alles davon kannst du hier zurücknehmen.',
  note: 'Womit deine Agenten arbeiten. Schlüssel und Passwörter werden verschlüsselt gespeichert und nie wieder angezeigt.',
  notSetUpLocally:
    'Zum Ausprobieren mit einem simulierten Konto starte Askback mit ASKBACK_SIMULATE=google. Für echte Konten registriere eine App bei Google und starte Askback mit ihrer GOOGLE_CLIENT_ID und ihrem GOOGLE_CLIENT_SECRET.',
  searchesReally: 'Zum Ausprobieren ohne Schlüssel starte Askback mit ASKBACK_SIMULATE=search.',
  googleSimulated:
    'Google ist hier simuliert: „Verbinden“ bietet zwei erfundene Konten an, und nichts verlässt deinen Rechner.',
  searchSimulated:
    'Die Suche ist hier simuliert: Jeder API-Schlüssel geht, zum Beispiel „test“, und nichts verlässt deinen Rechner.',
  backToWaiting: 'Zurück zu dem, was wartet',
  backToChat: 'Zurück zum Chat',
}
