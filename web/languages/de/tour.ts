import type { Language } from '../language.ts'

export const tour: Language['tour'] = {
  title: 'Drei Klicks, drei Pannen',
  others: 'Oder probier etwas anderes',
  steps: [
    {
      name: 'Eine vergessene Adresse',
      about: 'Das Modell lässt weg, an wen die E-Mail geht.',
      seen: 'Das Modell hat die Adresse vergessen, also wurde nichts gesendet. Askback fragte nach, das Modell nahm sie aus deiner Nachricht, und jetzt entscheidest du.',
    },
    {
      name: 'Eine Wiederholung',
      about: 'Das Modell sendet eine E-Mail, die es schon gesendet hat.',
      seen: 'Sende die E-Mail. Das Modell versucht dann, sie noch einmal zu senden, und du wirst vorher gefragt.',
    },
    {
      name: 'Eine verlorene Antwort',
      about: 'Der Mailserver nimmt eine E-Mail an, aber seine Antwort kommt nie an.',
      seen: 'Sende die E-Mail. Die Antwort des Mailservers geht verloren, also weiß niemand, ob sie gesendet wurde. Noch einmal gesendet wird sie nur, wenn du es sagst.',
    },
  ],
  place: (step, steps) => `Tour, ${step} von ${steps}`,
  next: (name) => `Weiter: ${name}`,
  end: 'Das war die Tour. Alles, was gesendet wurde, liegt im [Test-Posteingang].',
}
