import { byWhy, type None, type OneOf, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'

export interface Expired {
  file: None
  item: None
  revoked: None
}
export interface NotValid {
  file: None
  item: None
}
export interface NotByLink {
  connection: None
  wait: None
  approvers: None
  destructive: None
  unknown: None
  too_many: { most: number }
}

export interface LinkRefusals {
  link_expired: OneOf<Expired>
  link_not_valid: OneOf<NotValid>
  link_not_possible: OneOf<NotByLink>
  link_not_found: None
}

/** Links to files and to open items. */
export const linkRefusals = {
  en: {
    link_expired: byWhy<Expired>({
      file: 'This link to a file is too old. Reload the conversation to get a new one.',
      item: 'This link has expired. Ask whoever sent it for a new one, or look in the app.',
      revoked: 'This link was withdrawn. Ask whoever sent it for a new one, or look in the app.',
    }),
    link_not_valid: byWhy<NotValid>({
      file: 'This link to a file is not valid. Open the conversation to get a new one.',
      item: 'This link leads to nothing. Check that it is complete, or look in the app.',
    }),
    link_not_possible: byWhy<NotByLink>({
      connection:
        'Only the user can connect an account, so no link can decide this. Make one without "decides".',
      wait: 'This waits for a time, not for a person. Make a link without "decides".',
      approvers:
        'A group has to approve this, after signing in, so no link can decide it. Make one without "decides".',
      destructive:
        'This may delete or overwrite something, so no link can decide it. Make one without "decides".',
      unknown:
        'This may have been done already, so no link can decide whether to do it again. Make one without "decides".',
      too_many: ({ most }) => `${most} links to this are valid already. Revoke one of them first.`,
    }),
    link_not_found: 'You have no link with this id.',
  } satisfies Refuses<LinkRefusals>,

  de: ({ say }: GermanAddress): Refuses<LinkRefusals> => {
    const again = `${say('Lass dir', 'Lassen Sie sich')} einen neuen schicken, oder ${say('sieh', 'sehen Sie')} in der App nach.`
    const without = `${say('Erstelle', 'Erstellen Sie')} einen Link ohne „decides“.`
    return {
      link_expired: byWhy<Expired>({
        file: `Dieser Link ist abgelaufen. ${say('Lade', 'Laden Sie')} die Unterhaltung neu.`,
        item: `Dieser Link ist abgelaufen. ${again}`,
        revoked: `Dieser Link wurde zurückgezogen. ${again}`,
      }),
      link_not_valid: byWhy<NotValid>({
        file: `Dieser Link ist nicht gültig. ${say('Öffne', 'Öffnen Sie')} die Unterhaltung, um einen neuen zu bekommen.`,
        item: `Dieser Link führt ins Leere. ${say('Prüfe', 'Prüfen Sie')}, ob er vollständig ist, oder ${say('sieh', 'sehen Sie')} in der App nach.`,
      }),
      link_not_possible: byWhy<NotByLink>({
        connection: `Ein Konto kann nur der Nutzer selbst verbinden, deshalb entscheidet darüber kein Link. ${without}`,
        wait: `Hier wird auf eine Zeit gewartet, nicht auf einen Menschen. ${without}`,
        approvers: `Das muss eine Gruppe freigeben, die sich dafür anmeldet, deshalb entscheidet darüber kein Link. ${without}`,
        destructive: `Das könnte etwas löschen oder überschreiben, deshalb entscheidet darüber kein Link. ${without}`,
        unknown: `Das könnte schon geschehen sein, deshalb entscheidet kein Link, ob es noch einmal geschieht. ${without}`,
        too_many: ({ most }) =>
          `Dazu sind schon ${most} Links gültig. ${say('Widerrufe', 'Widerrufen Sie')} erst einen davon.`,
      }),
      link_not_found: 'Diesen Link gibt es nicht.',
    }
  },
}
