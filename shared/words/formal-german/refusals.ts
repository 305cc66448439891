const tryAgain = 'Versuchen Sie es in einer Minute noch einmal.'

/** Why a request is refused, to people who are called "Sie"; those that call nobody anything stay as they are. */
export const formalRefusals = {
  body_incomplete: 'Die Verbindung ist beim Senden abgebrochen. Senden Sie es noch einmal.',
  body_timeout: 'Das Senden hat zu lange gedauert. Senden Sie es noch einmal.',
  message_too_large: 'Diese Nachricht ist zu lang. Teilen Sie sie auf.',
  message_id_taken: 'Diese Nachricht gibt es schon. Laden Sie die Seite neu.',
  newer_messages:
    'Das würde neuere Nachrichten ersetzen, die hier noch nicht zu sehen waren. Lesen Sie sie zuerst, und versuchen Sie es dann noch einmal.',
  body_too_large: 'Das ist zu groß zum Senden. Senden Sie weniger auf einmal.',
  too_many_large_bodies: `Hier ist gerade zu viel los. ${tryAgain}`,
  too_many_requests: 'Das waren zu viele Anfragen. Warten Sie eine Minute.',
  rate_limited: 'Eine Grenze ist gerade erreicht. Warten Sie etwas, und versuchen Sie es dann noch einmal.',
  limit_reached:
    'Mehr davon können Sie nicht behalten. Löschen Sie zuerst etwas, das Sie nicht mehr brauchen.',
  file_not_found: 'Eine Datei dieser Nachricht ist nicht mehr da. Hängen Sie sie noch einmal an.',
  too_much_stored: 'Für weitere Dateien ist kein Platz. Löschen Sie Unterhaltungen mit Dateien.',
  too_many_documents: `Gerade werden zu viele Dateien gelesen. ${tryAgain}`,
  link_expired: 'Dieser Link ist abgelaufen. Laden Sie die Unterhaltung neu.',
  storage_unavailable: `Dateien sind gerade nicht erreichbar. ${tryAgain}`,
  unauthorized: 'Sie sind abgemeldet. Melden Sie sich wieder an.',
  foreign_issuer: 'Diese Anmeldung gehört nicht zu dieser App. Melden Sie sich hier an.',
  foreign_client:
    'Sie sind über eine andere App angemeldet, die hier nichts darf. Melden Sie sich direkt in dieser App an.',
  unknown_user: 'Dieses Konto gibt es nicht mehr. Melden Sie sich neu an.',
  anonymous_refused:
    'Mit einem anonymen Konto geht das hier nicht. Melden Sie sich an oder fügen Sie Ihrem Konto eine E-Mail-Adresse hinzu.',
  second_factor_required:
    'Dafür brauchen Sie Ihren zweiten Faktor. Geben Sie den Code aus Ihrer Authenticator-App ein und versuchen Sie es noch einmal. Wenn Sie noch keine haben, richten Sie zuerst eine ein.',
  keys_unavailable: `Die Anmeldung lässt sich gerade nicht prüfen. ${tryAgain}`,
  item_not_found: 'Das ist nicht mehr offen. Laden Sie die Unterhaltung neu.',
  pattern_does_not_fit: 'Diese Erlaubnis passt nicht zu allen Empfängern hier. Ändern Sie sie.',
  too_many_permissions: 'Dieser Agent hat 200 Erlaubnisse. Widerrufen Sie erst einige davon.',
  still_running: 'Hier wird noch gearbeitet. Warten Sie, bis es fertig ist.',
  conversation_busy:
    'Hier wird noch eine andere Antwort geschrieben, deshalb ist noch nichts passiert. Versuchen Sie es in einer Minute noch einmal.',
  stale: 'Das hat sich inzwischen geändert. Laden Sie die Seite neu.',
  cannot_continue: 'Hier geht es nicht weiter. Senden Sie eine neue Nachricht.',
  interrupted: 'Die Antwort wurde unterbrochen. Senden Sie die Nachricht noch einmal.',
  model_not_configured:
    'Für diesen Assistenten ist kein Sprachmodell eingerichtet. Sagen Sie es dem Betreiber.',
  model_unavailable:
    'Das Sprachmodell antwortet gerade nicht. Versuchen Sie es in ein paar Minuten noch einmal, und sagen Sie es dem Betreiber, wenn das nicht hilft.',
  own_key_refused:
    'Ihr eigener API-Schlüssel wurde abgelehnt. Korrigieren oder entfernen Sie ihn in den Einstellungen und senden Sie die Nachricht noch einmal.',
  own_key_unused:
    'Mit Ihrem eigenen API-Schlüssel kam keine Antwort. Wählen Sie ein anderes Modell, oder ändern Sie den Schlüssel in den Einstellungen.',
  no_account: 'Welches Konto das ist, ließ sich nicht feststellen. Verbinden Sie es noch einmal.',
  sign_in_needed: 'Dafür müssen Sie sich beim Anbieter anmelden.',
  sign_in_refused: 'Der Anbieter hat die Anmeldung abgelehnt. Versuchen Sie es noch einmal.',
  nothing_granted:
    'Beim Anbieter wurde nichts erlaubt. Verbinden Sie noch einmal und erlauben Sie, wonach gefragt wird.',
  unknown_code: 'Diese Anmeldung ist abgelaufen. Beginnen Sie sie neu.',
  unknown_state: 'Diese Anmeldung ist abgelaufen. Beginnen Sie sie neu.',
  provider_unavailable: `Der Anbieter ist gerade nicht erreichbar. ${tryAgain}`,
  invalid_values: 'Prüfen Sie die markierten Felder.',
  internal_error: 'Auf dem Server ist etwas schiefgegangen. Versuchen Sie es noch einmal.',
  database_busy: `Die Datenbank ist gerade überlastet. ${tryAgain}`,
  database_unavailable: `Die Datenbank ist gerade nicht erreichbar. ${tryAgain}`,
  version_not_accepted:
    'Der Assistent wird gerade aktualisiert. Senden Sie die Nachricht in einer Minute noch einmal.',
} satisfies Record<string, string>
